// Every resource can be counted; a few can be measured.
import { deviceEvaluator } from '#admission/quota/device-evaluator.ts';
import { objectCounter, type QuotaEvaluator } from '#admission/quota/evaluator.ts';
import { podEvaluator } from '#admission/quota/pod-evaluator.ts';
import { serviceEvaluator } from '#admission/quota/service-evaluator.ts';
import { storageEvaluator } from '#admission/quota/storage-evaluator.ts';
import { formatGroupResource, type GroupResource } from '#api/names.ts';

const aliased = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

export const measured: readonly QuotaEvaluator[] = [
  podEvaluator,
  serviceEvaluator,
  storageEvaluator,
  deviceEvaluator,
  ...aliased.map((resource) => objectCounter({ group: '', resource }, resource)),
];

const ignored = new Set([
  'bindings',
  'componentstatuses',
  'events',
  'events.events.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  ...['subjectaccessreviews', 'selfsubjectaccessreviews', 'localsubjectaccessreviews', 'selfsubjectrulesreviews'].map((name) => `${name}.authorization.k8s.io`),
]);

/** Undefined for what never counts. */
export function evaluatorOf(resource: GroupResource): QuotaEvaluator | undefined {
  const name = formatGroupResource(resource);
  if (ignored.has(name)) return undefined;
  return measured.find((one) => one.resource.resource === resource.resource && one.resource.group === resource.group) ?? objectCounter(resource);
}

/** Whom a limit is about: for `count/<resource>.<group>` whatever it names. */
export function evaluatorsFor(limit: string): readonly QuotaEvaluator[] {
  const known = measured.filter(({ covers }) => covers(limit));
  if (known.length > 0 || !limit.startsWith('count/')) return known;
  const [resource = '', ...group] = limit.slice('count/'.length).split('.');
  return [evaluatorOf({ group: group.join('.'), resource }) ?? []].flat();
}
