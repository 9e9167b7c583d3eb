// The texts are those of kube-apiserver v1.36.4 for the same updates.
import { expect, test } from 'vitest';
import { persistentvolumes } from '#kinds/core/v1/volume/persistent-volume-resource.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { differenceOfForms } from '#kinds/rules/differences.ts';
import { changed, updateErrors } from '../../../test/support/rule-cases.ts';

const pod = { metadata: { name: 'one' }, spec: { containers: [{ name: 'main', image: 'i', command: ['a', 'b', 'c'] }] } };
const volume = { metadata: { name: 'pv' }, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], rbd: { monitors: ['a'], image: 'b' } } };

function differenceIn([error = '']: readonly string[]): string {
  return error.slice(error.indexOf('\n') + 1);
}

test('a refused change of a pod is shown in the form that Go has of it', () => {
  expect(differenceIn(updateErrors(pods, pod, changed(pod, { 'spec.containers.0.command.1': '<z>' })))).toBe(
    [
      '@@ -7,7 +7,7 @@',
      '    "Image": "i",',
      '    "Command": [',
      '     "a",',
      '-    "b",',
      String.raw`+    "\u003cz\u003e",`,
      '     "c"',
      '    ],',
      '    "Args": null,',
      '',
    ].join('\n'),
  );
});

test('fields of the host stand in the security context', () => {
  const difference = differenceIn(updateErrors(pods, pod, changed(pod, { 'spec.hostPID': true })));
  expect(difference).toContain('  "SecurityContext": {\n   "HostNetwork": false,\n-  "HostPID": false,\n+  "HostPID": true,\n   "HostIPC": false,\n');
});

test('a refused change of a volume shows nothing but the source', () => {
  expect(differenceIn(updateErrors(persistentvolumes, volume, changed(volume, { 'spec.rbd.image': 'c' })))).toBe(
    [
      '@@ -8,7 +8,7 @@',
      '   "CephMonitors": [',
      '    "a"',
      '   ],',
      '-  "RBDImage": "b",',
      '+  "RBDImage": "c",',
      '   "FSType": "",',
      '   "RBDPool": "rbd",',
      '   "RadosUser": "admin",',
      '',
    ].join('\n'),
  );
});

test('equal forms have no difference', () => {
  expect(differenceOfForms({ a: [] }, { a: [] })).toBe('');
});
