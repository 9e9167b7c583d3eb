// Which labels a node may give itself.

const ownLabels = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

type Labels = Readonly<Record<string, string>>;

/** Of the labels that differ, those that are not the node's to set, sorted. */
export function forbiddenChanges(now: Labels = {}, before: Labels = {}): readonly string[] {
  const keys = new Set([...Object.keys(now), ...Object.keys(before)]);
  return [...keys].filter((key) => now[key] !== before[key] && isForbidden(key)).toSorted();
}

function isForbidden(key: string): boolean {
  const prefix = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  if (isIn(prefix, 'node-restriction.kubernetes.io')) return true;
  const reserved = isIn(prefix, 'kubernetes.io') || isIn(prefix, 'k8s.io');
  return reserved && !ownLabels.has(key) && !isIn(prefix, 'kubelet.kubernetes.io') && !isIn(prefix, 'node.kubernetes.io');
}

function isIn(prefix: string, domain: string): boolean {
  return prefix === domain || prefix.endsWith(`.${domain}`);
}
