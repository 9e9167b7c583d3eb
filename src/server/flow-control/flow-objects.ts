// What flow control reads of the stored FlowSchemas and PriorityLevelConfigurations.
import type { KubernetesObject } from '#api/object.ts';

export interface FlowSubject {
  readonly kind: string;
  readonly user?: { readonly name: string };
  readonly group?: { readonly name: string };
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface ResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
}

export interface NonResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

export interface FlowRule {
  readonly subjects?: readonly FlowSubject[] | null;
  readonly resourceRules?: readonly ResourceRule[] | null;
  readonly nonResourceRules?: readonly NonResourceRule[] | null;
}

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration: { readonly name: string };
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: { readonly type: string };
  readonly rules?: readonly FlowRule[] | null;
}

export interface Queuing {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
}

export interface LimitedSpec {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
  readonly limitResponse?: { readonly type: string; readonly queuing?: Queuing };
}

export interface PriorityLevelSpec {
  readonly type: string;
  readonly limited?: LimitedSpec;
  readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
}

export function flowSchemaSpec(object: KubernetesObject): FlowSchemaSpec {
  return object['spec'] as FlowSchemaSpec;
}

export function priorityLevelSpec(object: KubernetesObject): PriorityLevelSpec {
  return object['spec'] as PriorityLevelSpec;
}
