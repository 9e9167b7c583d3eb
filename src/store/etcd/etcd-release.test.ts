import { expect, test } from 'vitest';
import { tellsProgress } from '#store/etcd/etcd-release.ts';

test.each(['3.4.31', '3.4.37', '3.5.13', '3.5.35', '3.6.0', '3.6.8', '3.10.0', '4.0.0'])('etcd %s says how far a watch is when it is asked', (version) => {
  expect(tellsProgress(version)).toBe(true);
});

test.each(['3.4.30', '3.4.23', '3.3.27', '3.5.0', '3.5.12', '3.5.0-alpha.0', '2.3.8', '', 'not provided'])('etcd %s is not asked', (version) => {
  expect(tellsProgress(version)).toBe(false);
});
