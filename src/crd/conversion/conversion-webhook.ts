// Custom resources between versions by a webhook: all objects of a batch in one question. Whatever goes wrong is an error for those that asked,
// in the words of apiextensions-apiserver; nothing is shown or stored that the checks did not pass.
import { posix } from 'node:path';
import { ApiError } from '#api/api-error.ts';
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ServiceResolver } from '#api/service-resolver.ts';
import { goQuote } from '#base/go-text.ts';
import type { OutgoingAnswer, OutgoingClients } from '#base/outgoing/outgoing-clients.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';
import type { OutgoingTarget } from '#base/outgoing/target.ts';
import type { Conversion, ConversionFailure } from '#crd/conversion/conversion-metrics.ts';
import { convertedObjects, refuseOtherKinds, reviewText, reviewVersionOf } from '#crd/conversion/conversion-review.ts';
import { checkedObject } from '#crd/conversion/converted-object.ts';
import type { Converter, WebhookConverterOf } from '#crd/converter.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { webhookAnswer } from '#resource/webhook-answer.ts';

export interface ConversionWebhookParts {
  readonly clients: OutgoingClients;
  readonly resolve: ServiceResolver;
  readonly newUid: () => string;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly observe: (conversion: Conversion) => void;
}

const timeoutMs = 30_000;
/** The webhook is given all objects of a list at once, and answers with as many. */
const mostAnswerBytes = 64 << 20;

export function conversionWebhooks(parts: ConversionWebhookParts): WebhookConverterOf {
  return (definition) => {
    const { objectsOf } = new ConversionWebhook(definition, parts);
    return objectsOf;
  };
}

class ConversionWebhook {
  readonly #name: string;
  readonly #versions: readonly string[];
  readonly #target: OutgoingTarget;
  readonly #path: string;
  readonly #parts: ConversionWebhookParts;

  constructor({ metadata, spec }: CustomResourceDefinition, parts: ConversionWebhookParts) {
    const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {};
    const { target, path } = clientOf(clientConfig, parts.resolve);
    this.#name = metadata.name ?? '';
    this.#versions = conversionReviewVersions ?? [];
    this.#target = target;
    this.#path = `${path}?timeout=${timeoutMs / 1000}s`;
    this.#parts = parts;
  }

  readonly objectsOf: Converter = (objects, apiVersion) => {
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    const [first] = others;
    return first === undefined ? objects : this.#converted(objects, first, others, apiVersion);
  };

  async #converted(
    objects: readonly KubernetesObject[],
    first: KubernetesObject,
    others: readonly KubernetesObject[],
    apiVersion: string,
  ): Promise<readonly KubernetesObject[]> {
    const { now, observe } = this.#parts;
    const begun = now();
    let failure: ConversionFailure | undefined;
    try {
      const made = await this.#ask(others, apiVersion);
      const byObject = new Map(others.map((object, index) => [object, made[index]]));
      return objects.map((object) => byObject.get(object) ?? object);
    } catch (error) {
      if (!(error instanceof ConversionProblem)) throw error;
      failure = error.failure;
      throw new ApiError(500, undefined, `conversion webhook for ${kindText(first)}${error.message}`, { cause: error });
    } finally {
      const [from, to] = [versionOf(first.apiVersion), versionOf(apiVersion)];
      observe({ definition: this.#name, from, to, seconds: (now() - begun) / 1000, failure });
    }
  }

  async #ask(objects: readonly KubernetesObject[], apiVersion: string): Promise<readonly KubernetesObject[]> {
    const version = reviewVersionOf(this.#versions);
    if (version === undefined) throw new ApiError(500, undefined, 'no supported conversion review versions');
    const uid = this.#parts.newUid();
    const answer = await this.#post(reviewText({ version, uid, desiredApiVersion: apiVersion, objects: objects.map(withoutRevision) }));
    const review = problemIn('conversion_webhook_call_failure', () => {
      const read = webhookAnswer(answer);
      refuseOtherKinds(read, version);
      return read;
    });
    const made = problemIn('conversion_webhook_malformed_response_failure', () => convertedObjects(review, { version, uid }));
    if (made.length !== objects.length) {
      throw new ConversionProblem('conversion_webhook_partial_response_failure', ` returned ${made.length} objects, expected ${objects.length}`);
    }
    return objects.map((object, index) => checked(object, made[index], apiVersion));
  }

  async #post(body: string): Promise<OutgoingAnswer> {
    try {
      return await this.#parts.clients.post(this.#target, this.#path, body, { timeoutMs, maxBytes: mostAnswerBytes });
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      const { message, inBody } = error;
      const url = goQuote(`${this.#target.origin}${this.#path}`);
      const why = inBody ? `unexpected error when reading response body. Please retry. Original error: ${message}` : `Post ${url}: ${message}`;
      throw new ConversionProblem('conversion_webhook_call_failure', ` failed: ${why}`);
    }
  }
}

/** Upstream converts objects as they lie in the store, where no revision is written in them. */
function withoutRevision(object: KubernetesObject): object {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The message goes on after the kind that was to be converted. */
class ConversionProblem extends Error {
  override readonly name = 'ConversionProblem';
  readonly failure: ConversionFailure;

  constructor(failure: ConversionFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

function problemIn<T>(failure: ConversionFailure, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConversionProblem(failure, ` failed: ${(error as Error).message}`);
  }
}

function checked(object: KubernetesObject, made: unknown, apiVersion: string): KubernetesObject {
  try {
    return checkedObject(object, made, apiVersion);
  } catch (error) {
    throw new ConversionProblem('conversion_webhook_invalid_converted_object_failure', (error as Error).message);
  }
}

type ClientConfig = NonNullable<NonNullable<NonNullable<CustomResourceDefinition['spec']['conversion']>['webhook']>['clientConfig']>;

function clientOf({ url, service, caBundle }: ClientConfig, resolve: ServiceResolver): { readonly target: OutgoingTarget; readonly path: string } {
  const bundle = caBundle ? Buffer.from(caBundle, 'base64').toString() : '';
  const ca = bundle.trim() === '' ? undefined : bundle;
  if (service) {
    const { namespace, name, port = 443 } = service;
    const dial = async () => {
      try {
        return await resolve(namespace, name, port);
      } catch (error) {
        throw new OutgoingFailure((error as Error).message, { cause: error });
      }
    };
    return { target: { origin: `https://${name}.${namespace}.svc:${port}`, ca, dial }, path: cleanPath(service.path ?? '') };
  }
  const [, origin = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)([^?#]*)/i.exec(url ?? '') ?? [];
  return { target: { origin, ca }, path: cleanPath(path) };
}

/** As client-go joins paths: no empty or dotted segments, no slash at the end. */
function cleanPath(path: string): string {
  const clean = posix.normalize(`/${path}`);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

/** `group/version, Kind=Kind`, as messages name what an object is. */
function kindText({ apiVersion = '', kind = '' }: KubernetesObject): string {
  return `${apiVersion}, Kind=${kind}`;
}

function versionOf(apiVersion = ''): string {
  return parseApiVersion(apiVersion)?.version ?? '';
}
