import type { KubernetesObject } from '#api/object.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export type StoredPod = Pod & KubernetesObject;
