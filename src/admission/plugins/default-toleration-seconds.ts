// Pods tolerate a node that is not ready or unreachable for a while, unless they say otherwise.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { isPodWrite } from '#admission/request-subject.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';

export interface TolerationDefaults {
  readonly notReadySeconds: number;
  readonly unreachableSeconds: number;
}

export function defaultTolerationSeconds({ notReadySeconds, unreachableSeconds }: TolerationDefaults): AdmissionPlugin {
  const defaults = [
    ['node.kubernetes.io/not-ready', notReadySeconds],
    ['node.kubernetes.io/unreachable', unreachableSeconds],
  ] as const;
  return {
    name: 'DefaultTolerationSeconds',
    matches: isPodWrite,
    mutate({ object }) {
      const { spec } = object as unknown as Pod;
      for (const [key, tolerationSeconds] of defaults) {
        if ((spec.tolerations ?? []).some((toleration) => covers(toleration, key))) continue;
        spec.tolerations = [...(spec.tolerations ?? []), { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds } as Toleration];
      }
    },
  };
}

function covers({ key = '', effect = '' }: Toleration, taint: string): boolean {
  return (key === taint || key === '') && (effect === 'NoExecute' || effect === '');
}
