import { describe, expect, test } from 'vitest';
import { judgeHealth, type NodeHealth } from '#controllers/nodes/node-health.ts';
import type { StoredNode } from '#controllers/nodes/stored-kinds.ts';

const periods = { graceMs: 50_000, startupGraceMs: 60_000 };
const created = '1970-01-01T00:00:00Z';

function node(...conditions: readonly object[]): StoredNode {
  return { metadata: { name: 'n', creationTimestamp: created }, spec: {}, status: { conditions } } as unknown as StoredNode;
}

const ready = (heartbeat: string, status = 'True') => ({
  type: 'Ready',
  status,
  lastHeartbeatTime: heartbeat,
  lastTransitionTime: created,
  reason: 'KubeletReady',
});

/** Looks again and again, with what was remembered. */
function watcher() {
  let health: NodeHealth | undefined;
  return (now: number, seen: StoredNode, renewTime?: string) => {
    const verdict = judgeHealth(seen, health, renewTime, now, periods);
    health = verdict.health;
    return verdict;
  };
}

test('a node is given up when it changes nothing for longer than the grace period, counted by our own clock', () => {
  const look = watcher();
  expect(look(1_000_000, node(ready('old'))).conditions).toBeUndefined();
  expect(look(1_050_000, node(ready('old'))).conditions).toBeUndefined();
  const silent = look(1_050_001, node(ready('old'), { type: 'DiskPressure', status: 'False' }, { type: 'NetworkUnavailable', status: 'False' }));
  expect(silent.current?.status).toBe('Unknown');
  expect(silent.observed.status).toBe('True');
  expect(silent.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ['Ready', 'Unknown', 'NodeStatusUnknown'],
    ['DiskPressure', 'Unknown', 'NodeStatusUnknown'],
    ['NetworkUnavailable', 'False', undefined],
    ['MemoryPressure', 'Unknown', 'NodeStatusNeverUpdated'],
    ['PIDPressure', 'Unknown', 'NodeStatusNeverUpdated'],
  ]);
});

describe('a sign of life', () => {
  test('is another heartbeat', () => {
    const look = watcher();
    look(0, node(ready('a')));
    look(50_000, node(ready('b')));
    expect(look(100_000, node(ready('b'))).conditions).toBeUndefined();
    expect(look(100_001, node(ready('b'))).conditions).toBeDefined();
  });

  test('is a lease that was renewed, but not the same one read again', () => {
    const look = watcher();
    look(0, node(ready('a')), '2026-01-01T00:00:00.000000Z');
    look(40_000, node(ready('a')), '2026-01-01T00:00:10.000000Z');
    expect(look(90_000, node(ready('a')), '2026-01-01T00:00:10.000000Z').conditions).toBeUndefined();
    expect(look(90_001, node(ready('a')), '2026-01-01T00:00:10.000000Z').conditions).toBeDefined();
  });
});

test('a node that never told its status has the longer time, counted from its creation', () => {
  const look = watcher();
  expect(look(60_000, node()).current).toBeUndefined();
  const silent = look(60_001, node());
  expect(silent.current?.status).toBe('Unknown');
  expect(silent.conditions?.[0]).toMatchObject({ type: 'Ready', reason: 'NodeStatusNeverUpdated', lastHeartbeatTime: created });
});

test('what is Unknown already is not written again', () => {
  const look = watcher();
  look(0, node(ready('a', 'Unknown')));
  expect(look(100_000, node(ready('a', 'Unknown')))).toMatchObject({ current: { status: 'Unknown' }, observed: { status: 'Unknown' } });
  expect(look(100_000, node(ready('a', 'Unknown'))).conditions).toBeUndefined();
});
