// The variables of admission expressions, made when an expression names them.
import type { KubernetesObject } from '#api/object.ts';
import type { User } from '#api/user.ts';
import type { Activation } from '#cel/evaluation.ts';
import { type Authorize, authorizerValue, requestResourceValue } from '#cel/library/authorizer.ts';
import { Timestamp, type CelMap, type CelValue } from '#cel/value.ts';
import { parseTimestamp } from '#cel/standard/time.ts';
import { jsonValue } from '#cel/json-value.ts';

export interface NamedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface NamedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What AdmissionReview calls the request: kind and resource as the rule that matched names them, and as the client did. */
export interface RequestFacts {
  readonly kind: NamedKind;
  readonly resource: NamedResource;
  readonly subresource: string;
  readonly requestKind: NamedKind;
  readonly requestResource: NamedResource;
  readonly name: string;
  readonly namespace: string;
  readonly operation: string;
  readonly user: User;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>> | undefined;
}

export interface AdmissionFacts {
  readonly request: RequestFacts;
  /** In the version of the rule that matched. */
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  /** Undefined for what is in no namespace. */
  readonly namespace: KubernetesObject | undefined;
  /** Undefined where a policy has none. */
  readonly params?: KubernetesObject | undefined;
  readonly authorize: Authorize;
  /** What was made of them so far, for all expressions about one object. */
  readonly values: Map<string, CelValue>;
}

/** `variables` is the value of that name, for policies that have some. */
export function admissionActivation(facts: AdmissionFacts, variables?: CelMap): Activation {
  const { values } = facts;
  let params: CelValue | undefined;
  return {
    get(name) {
      if (name === 'variables') return variables;
      if (name === 'params') return (params ??= jsonValue(facts.params ?? null));
      let value = values.get(name);
      if (value === undefined) {
        value = variableOf(facts, name);
        if (value !== undefined) values.set(name, value);
      }
      return value;
    },
  };
}

/** Match conditions are evaluated without the namespace, as upstream does. */
export function conditionsActivation(facts: AdmissionFacts): Activation {
  const activation = admissionActivation(facts);
  return { get: (name) => (name === 'namespaceObject' ? null : activation.get(name)) };
}

function variableOf(facts: AdmissionFacts, name: string): CelValue | undefined {
  switch (name) {
    case 'object':
      return jsonValue(facts.object ?? null);
    case 'oldObject':
      return jsonValue(facts.old ?? null);
    case 'request':
      return jsonValue(requestJson(facts.request));
    case 'namespaceObject':
      return facts.namespace === undefined ? null : namespaceValue(facts.namespace);
    case 'authorizer':
      return authorizerValue(facts.authorize);
    case 'authorizer.requestResource':
      return requestResource(facts);
    default:
      return undefined;
  }
}

function requestResource({ authorize, request }: AdmissionFacts): CelValue {
  const { group, resource } = request.requestResource;
  return requestResourceValue(authorize, { group, resource, subresource: request.subresource, namespace: request.namespace, name: request.name });
}

/** As AdmissionRequest is written: what is empty is left out. */
export function requestJson({ user, ...request }: RequestFacts): Readonly<Record<string, unknown>> {
  const { kind, resource, requestKind, requestResource: asked, subresource, name, namespace, operation, dryRun, options } = request;
  return withoutEmpty({
    kind,
    resource,
    subResource: subresource,
    requestKind,
    requestResource: asked,
    requestSubResource: subresource,
    name,
    namespace,
    operation,
    userInfo: userJson(user),
    dryRun,
    options,
  });
}

function userJson({ name, uid, groups, extra }: User): Readonly<Record<string, unknown>> {
  return withoutEmpty({ username: name, uid, groups: groups?.length ? groups : undefined, extra: extra && Object.keys(extra).length > 0 ? extra : undefined });
}

function withoutEmpty(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== ''));
}

const shownMetadata = [
  'name',
  'generateName',
  'namespace',
  'labels',
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'resourceVersion',
  'finalizers',
] as const;

/** A namespace without what expressions have no business with; its uid is called UID here. */
function namespaceValue({ metadata, spec, status }: KubernetesObject): CelValue {
  const shown: Record<string, unknown> = { UID: metadata.uid ?? '' };
  for (const name of shownMetadata) if (metadata[name] !== undefined) shown[name] = timed(name, metadata[name]);
  const { conditions, ...rest } = (status ?? {}) as { readonly conditions?: readonly Readonly<Record<string, unknown>>[] };
  const told = conditions?.map((condition) => ({ ...condition, lastTransitionTime: timed('lastTransitionTime', condition['lastTransitionTime']) }));
  return jsonValue({ metadata: shown, spec: spec ?? {}, status: { ...rest, ...(told && { conditions: told }) } });
}

function timed(name: string, value: unknown): unknown {
  return /Time(?:stamp)?$/.test(name) && typeof value === 'string' ? (parseTimestamp(value) ?? new Timestamp(0n)) : value;
}
