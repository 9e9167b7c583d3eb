// One webhook of a configuration, ready to be asked: its rules, selectors, conditions and where it is.
import { posix } from 'node:path';
import { compileMatchConditions, type MatchConditions } from '#admission/expressions/match-conditions.ts';
import type { Rules } from '#admission/matching/matched-resource.ts';
import { internalError } from '#api/api-error.ts';
import { everyLabel, type LabelSelector, labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ServiceResolver } from '#api/service-resolver.ts';
import type { OutgoingTarget } from '#base/outgoing/target.ts';
import type { MutatingWebhook } from '#kinds/admissionregistration/v1/mutating-webhook-configuration.ts';
import type { ValidatingWebhook } from '#kinds/admissionregistration/v1/validating-webhook-configuration.ts';
import type { WebhookClientConfig } from '#kinds/admissionregistration/v1/webhook-client-config.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

export interface Webhook extends Rules {
  /** Names are unique within a configuration only, and not even there in old ones. */
  readonly uid: string;
  readonly configuration: string;
  readonly name: string;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly ignoresFailures: boolean;
  readonly sideEffects: string | undefined;
  readonly timeoutSeconds: number;
  /** Undefined when it understands none that we speak. */
  readonly reviewVersion: ReviewVersion | undefined;
  readonly isReinvocable: boolean;
  /** Undefined when there are none. Compiled when first needed. */
  readonly conditions: (() => MatchConditions) | undefined;
  readonly target: OutgoingTarget;
  readonly path: string;
}

/** What a kubeconfig holds for a server: how this one shows who it is. */
export type WebhookCredentials = Pick<OutgoingTarget, 'cert' | 'key' | 'headers'>;

export interface WebhookParts {
  readonly resolve: ServiceResolver;
  /** `hostPort` is `name.namespace.svc:443` for services. */
  readonly credentials: (hostPort: string) => WebhookCredentials;
}

/** Longer than any webhook may take; for those whose configuration says nothing. */
const defaultTimeoutSeconds = 30;

type AnyWebhook = ValidatingWebhook & Partial<Pick<MutatingWebhook, 'reinvocationPolicy'>>;

export function webhooksOf({ metadata, ...rest }: KubernetesObject, parts: WebhookParts, isStatic = false): readonly Webhook[] {
  const { webhooks = [] } = rest as { readonly webhooks?: readonly AnyWebhook[] };
  const configuration = metadata.name ?? '';
  const seen = new Map<string, number>();
  return webhooks.map((webhook) => {
    const count = seen.get(webhook.name) ?? 0;
    seen.set(webhook.name, count + 1);
    const uid = `${isStatic ? 'manifest/' : ''}${configuration}/${webhook.name}/${count}`;
    return { ...webhookOf(webhook, configuration, uid, parts), isStatic };
  });
}

function webhookOf(webhook: AnyWebhook, configuration: string, uid: string, parts: WebhookParts): Webhook {
  const { name, rules = [], matchPolicy, sideEffects, timeoutSeconds = defaultTimeoutSeconds, matchConditions = [] } = webhook;
  let compiled: MatchConditions | undefined;
  const compile = () => (compiled ??= compileMatchConditions(matchConditions));
  return {
    uid,
    configuration,
    name,
    rules,
    matchPolicy,
    namespaceSelector: selectorOf(webhook.namespaceSelector),
    objectSelector: selectorOf(webhook.objectSelector),
    ignoresFailures: webhook.failurePolicy === 'Ignore',
    sideEffects,
    timeoutSeconds,
    reviewVersion: webhook.admissionReviewVersions?.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1'),
    isReinvocable: webhook.reinvocationPolicy === 'IfNeeded',
    conditions: matchConditions.length === 0 ? undefined : compile,
    ...clientOf(webhook.clientConfig, parts),
  };
}

/** One that cannot be read fails the requests that it would have to judge. */
function selectorOf(object: LabelSelectorObject | undefined): LabelSelector {
  if (object === undefined) return everyLabel;
  try {
    return labelSelectorFrom(object);
  } catch (error) {
    const { message } = error as Error;
    const refuse = () => {
      throw internalError(message);
    };
    return { requirements: [], text: '<unreadable>', matches: refuse };
  }
}

function clientOf({ url, service, caBundle }: WebhookClientConfig, { resolve, credentials }: WebhookParts): Pick<Webhook, 'target' | 'path'> {
  const ca = caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined;
  if (service) {
    const { namespace, name, port = 443 } = service;
    const hostPort = `${name}.${namespace}.svc:${port}`;
    const target = { origin: `https://${hostPort}`, ca, dial: () => resolve(namespace, name, port), ...credentials(hostPort) };
    return { target, path: cleanPath(service.path ?? '') };
  }
  const [, origin = '', host = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/([^/?#]*))([^?#]*)/i.exec(url ?? '') ?? [];
  const hostPort = /:\d+$/.test(host) ? host : `${host}:443`;
  return { target: { origin, ca, ...credentials(hostPort) }, path: cleanPath(path) };
}

/** As client-go joins paths: escapes are read and made anew, no empty or dotted segments, no slash at the end. */
function cleanPath(path: string): string {
  const clean = posix.normalize(`/${escapedAnew(path)}`);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

function escapedAnew(path: string): string {
  try {
    return encodeURI(decodeURIComponent(path)).replaceAll('?', '%3F').replaceAll('#', '%23');
  } catch {
    return path;
  }
}
