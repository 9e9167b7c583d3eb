// What one resource counts as against quotas: which limits concern it, what an object uses, which scopes it is in.
import type { AdmissionRequest } from '#admission/admission.ts';
import type { Amounts } from '#admission/resource-list.ts';
import { formatGroupResource, type GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Quantity, quantityOf } from '#base/quantity.ts';

export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

export interface EvaluationFacts {
  readonly now: Date;
  readonly gate: (name: string) => boolean;
}

export interface QuotaEvaluator {
  readonly resource: GroupResource;
  /** Can this request change what is used? */
  readonly handles: (request: AdmissionRequest) => boolean;
  /** Does a limit of this name concern objects of this resource? */
  readonly covers: (limit: string) => boolean;
  readonly usage: (object: KubernetesObject, facts: EvaluationFacts) => Amounts;
  readonly isInScope?: (scope: ScopeRequirement, object: KubernetesObject, facts: EvaluationFacts) => boolean;
  /** What the object must say before it can be counted; undefined when it says it. */
  readonly lacks?: (object: KubernetesObject, limits: readonly string[], facts: EvaluationFacts) => string | undefined;
}

export const one: Quantity = quantityOf(1);

export function countName(resource: GroupResource): string {
  return `count/${formatGroupResource(resource)}`;
}

/** `alias` is the name from before everything could be counted: `configmaps`, `secrets`. */
export function objectCounter(resource: GroupResource, alias?: string): QuotaEvaluator {
  const names = [countName(resource), ...(alias === undefined ? [] : [alias])];
  const usage: Amounts = new Map(names.map((name) => [name, one]));
  return {
    resource,
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    covers: (limit) => names.includes(limit),
    usage: () => usage,
  };
}

export function isWrite({ operation, subresource }: AdmissionRequest): boolean {
  return subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
}

/** `Exists` is decided by the caller: it asks for any name at all. */
export function nameMatches({ operator, values = [] }: ScopeRequirement, name: string): boolean {
  if (operator === 'Exists') return name !== '';
  if (operator === 'DoesNotExist') return name === '';
  return values.includes(name) === (operator === 'In');
}
