// Pods that ask for a device tolerate the taint that keeps others away from its nodes.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { isPodWrite, podOf } from '#admission/request-subject.ts';
import { sameToleration } from '#admission/tolerations.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';

export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  matches: isPodWrite,
  mutate(request) {
    const { spec } = podOf(request);
    const requested = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) => Object.keys(resources.requests ?? {}));
    for (const key of [...new Set(requested)].filter(isExtended).toSorted()) {
      spec.tolerations = withToleration(spec.tolerations ?? [], { key, operator: 'Exists', effect: 'NoSchedule' } as Toleration);
    }
  },
};

function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

/** A toleration of the same key and effect is brought up to date in its place. */
function withToleration(tolerations: readonly Toleration[], added: Toleration): Toleration[] {
  if (tolerations.some((one) => sameToleration(one, added))) return [...tolerations];
  const matches = (one: Toleration) => one.key === added.key && one.effect === added.effect && one.operator === added.operator && (one.value ?? '') === '';
  return tolerations.some(matches) ? tolerations.map((one) => (matches(one) ? added : one)) : [...tolerations, added];
}
