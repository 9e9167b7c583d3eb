import { expect, test } from 'vitest';
import { podWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';

test('an annotation about seccomp is warned of after volumes, one that was given up before them', () => {
  const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined', 'scheduler.alpha.kubernetes.io/critical-pod': '' };
  const pod = { metadata: { name: 'a', annotations }, spec: { containers: [], volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] } };
  expect(podWarnings(pod as never)).toEqual([
    'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
  ]);
});
