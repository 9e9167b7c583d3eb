import { describe, expect, test } from 'vitest';
import { type Pod } from '#kinds/core/v1/pod/pod.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { podColumns } from '#kinds/core/v1/pod/pod-columns.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { changed } from '../../../../../test/support/rule-cases.ts';

const now = new Date('2030-01-02T03:04:05Z');
const base = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'one', creationTimestamp: '2030-01-02T03:03:05Z' },
  spec: { containers: [{ name: 'a' }, { name: 'b' }], initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] },
};

function cells(changes: Record<string, unknown>): Record<string, unknown> {
  const pod = decodeValue(pods.schema, changed(base, changes)).object as unknown as Pod;
  return Object.fromEntries(podColumns.map(({ name, read }) => [name, read(pod, { now })]));
}

const status = (name: string, state: object, rest: object = {}) => ({ name, state, ready: false, restartCount: 0, image: '', imageID: '', ...rest });
const running = { running: {} };
const ended = (exitCode: number, rest: object = {}) => ({ terminated: { exitCode, ...rest } });
const done = { initContainerStatuses: [status('i', ended(0)), status('s', running, { started: true, ready: true })] };

describe('the columns of a pod', () => {
  test('show name, age and where it is', () => {
    expect(cells({ 'spec.nodeName': 'n', status: { podIPs: [{ ip: '10.0.0.1' }], nominatedNodeName: 'm' } })).toMatchObject({
      Name: 'one',
      Age: '60s',
      IP: '10.0.0.1',
      Node: 'n',
      'Nominated Node': 'm',
      'Readiness Gates': '<none>',
    });
  });

  test.each([
    ['the phase', { phase: 'Pending' }, 'Pending', '0/3'],
    ['the reason', { phase: 'Failed', reason: 'Evicted' }, 'Evicted', '0/3'],
    ['a gated pod', { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }, 'SchedulingGated', '0/3'],
    ['an init container at work', { initContainerStatuses: [status('i', running)] }, 'Init:0/2', '0/3'],
    ['an init container that waits', { initContainerStatuses: [status('i', { waiting: { reason: 'CrashLoopBackOff' } })] }, 'Init:CrashLoopBackOff', '0/3'],
    ['an init container that failed', { initContainerStatuses: [status('i', ended(3))] }, 'Init:ExitCode:3', '0/3'],
    ['an init container that was killed', { initContainerStatuses: [status('i', ended(1, { signal: 9 }))] }, 'Init:Signal:9', '0/3'],
    [
      'containers that run',
      { phase: 'Running', ...done, containerStatuses: [status('a', running, { ready: true }), status('b', running, { ready: true })] },
      'Running',
      '3/3',
    ],
    [
      'a container that waits',
      { phase: 'Running', ...done, containerStatuses: [status('a', { waiting: { reason: 'ImagePullBackOff' } })] },
      'ImagePullBackOff',
      '1/3',
    ],
    ['a container that failed', { phase: 'Running', containerStatuses: [status('a', ended(2))] }, 'ExitCode:2', '0/3'],
    [
      'one that is done beside one that is ready',
      {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [status('a', ended(0, { reason: 'Completed' })), status('b', running, { ready: true })],
      },
      'Running',
      '1/3',
    ],
    [
      'one that is done beside one that runs',
      { phase: 'Running', containerStatuses: [status('a', ended(0, { reason: 'Completed' })), status('b', running, { ready: true })] },
      'NotReady',
      '1/3',
    ],
    [
      'one that is done beside one that failed',
      { phase: 'Running', containerStatuses: [status('a', ended(0, { reason: 'Completed' })), status('b', ended(1, { reason: 'Error' }))] },
      'Error',
      '0/3',
    ],
  ])('show %s', (_what, podStatus, shown, ready) => {
    expect(cells({ status: podStatus })).toMatchObject({ Status: shown, Ready: ready });
  });

  test('show that a pod goes away, unless it has ended', () => {
    const deleted = { 'metadata.deletionTimestamp': '2030-01-02T03:04:00Z' };
    expect(cells({ ...deleted, status: { phase: 'Running' } })['Status']).toBe('Terminating');
    expect(cells({ ...deleted, status: { phase: 'Succeeded' } })['Status']).toBe('Succeeded');
    expect(cells({ ...deleted, status: { phase: 'Running', reason: 'NodeLost' } })['Status']).toBe('Unknown');
  });

  test('count restarts, and say when the last was', () => {
    const lastState = ended(1, { finishedAt: '2030-01-02T03:02:05Z' });
    const containerStatuses = [status('a', running, { restartCount: 2, lastState }), status('b', running, { restartCount: 1 })];
    expect(cells({ status: { containerStatuses } })['Restarts']).toBe('3 (2m ago)');
    expect(cells({ status: {} })['Restarts']).toBe('0');
  });

  test('count readiness gates that are open', () => {
    const gates = [{ conditionType: 'a' }, { conditionType: 'b' }];
    expect(cells({ 'spec.readinessGates': gates, status: { conditions: [{ type: 'a', status: 'True' }] } })['Readiness Gates']).toBe('1/2');
  });
});
