// What writes cost: of pods as controllers make them, and of small ConfigMaps.
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { type Cell, succeed, timed } from './cell.ts';
import { accepts, configMap, configMaps, extraPods, nextSerial, ownPod, pods } from './reading.ts';
import type { Ask, Target } from './target.ts';

/** V8 still optimizes after 3,000 of them, and how long that takes depends on how much code there is; starts and the first requests are measured apart. */
export const writesUntilWarm = 8000;
/** Objects that are changed again and again. */
const changed = 200;
const [quarter, fifth] = [1 / 4, 1 / 5];
const sentProtobuf = { ...accepts.protobuf, 'content-type': accepts.protobuf.accept };

type Held = { metadata: { labels: Record<string, string> } };

/** How an updated pod is sent and read. */
interface Encoding {
  readonly headers: Record<string, string>;
  readonly read: (body: Buffer) => Held;
  readonly write: (pod: Held) => unknown;
}

const inJson: Encoding = { headers: {}, read: (body) => JSON.parse(body.toString()) as Held, write: (pod) => pod };
const inProtobuf: Encoding = {
  headers: sentProtobuf,
  read: (body) => decodeProtobuf(Pod, readEnvelope(body).raw) as unknown as Held,
  write: protobufOf,
};

export const writeCells: readonly Cell[] = [
  ...[1, 16, 128].flatMap((writers) => [
    writing(`create pods, ${counted(writers)}`, writers, quarter, () => ({ method: 'POST', path: extraPods, body: ownPod(`extra-${nextSerial()}`) })),
    writing(`create configmaps, ${counted(writers)}`, writers, quarter, () => ({ method: 'POST', path: configMaps, body: configMap(`extra-${nextSerial()}`) })),
  ]),
  ...[1, 16].map((writers) =>
    writing(`create pods in protobuf, ${counted(writers)}`, writers, quarter, () => ({
      method: 'POST',
      path: extraPods,
      body: protobufOf(decodeJson(Pod, Buffer.from(JSON.stringify(ownPod(`extra-${nextSerial()}`)))).object),
      headers: sentProtobuf,
    })),
  ),
  ...[1, 16].flatMap((writers) => [
    updating(`update, ${counted(writers)}`, writers, inJson),
    updating(`update in protobuf, ${counted(writers)}`, writers, inProtobuf),
    patching(`merge patch, ${counted(writers)}`, writers, 'application/merge-patch+json', quarter),
  ]),
  patching('strategic patch, 16 writers', 16, 'application/strategic-merge-patch+json', fifth),
  writing('JSON patch, 16 writers', 16, quarter, (i) => ({
    method: 'PATCH',
    path: `${pods}/pod-${i % changed}`,
    body: [{ op: 'add', path: '/metadata/labels/turn', value: nextSerial() }],
    headers: { 'content-type': 'application/json-patch+json' },
  })),
  writing('apply, 16 writers', 16, fifth, (i) => ({
    method: 'PATCH',
    path: `${extraPods}/applied-${i % changed}?fieldManager=bench&force=true`,
    body: ownPod(`applied-${i % changed}`, nextSerial()),
    headers: { 'content-type': 'application/apply-patch+yaml' },
  })),
  {
    name: 'create and delete, 16 writers',
    operations: operationsBy(16),
    warmUp: 1500,
    bar: quarter,
    turn: (target, operations) => timed(16, operations, () => createAndDelete(target)),
  },
];

/** Until all writers have begun, and when the first of them are done, a server has less to do than it could: that must be a small part of a turn. */
function operationsBy(writers: number): number {
  return Math.max(200, Math.min(writers * 40, 1000));
}

function counted(writers: number): string {
  return writers === 1 ? '1 writer' : `${writers} writers`;
}

function writing(name: string, writers: number, bar: number, ask: (i: number) => Ask): Cell {
  const turn: Cell['turn'] = (target, operations) => timed(writers, operations, (i) => succeed(target, ask(i)));
  return { name, operations: operationsBy(writers), warmUp: writesUntilWarm, bar, turn };
}

function patching(name: string, writers: number, type: string, bar: number): Cell {
  return writing(name, writers, bar, (i) => ({
    method: 'PATCH',
    path: `${pods}/pod-${i % changed}`,
    body: { metadata: { labels: { turn: nextSerial() } } },
    headers: { 'content-type': type },
  }));
}

function updating(name: string, writers: number, encoding: Encoding): Cell {
  const held = new WeakMap<Target, Map<number, Held>>();
  const turn: Cell['turn'] = (target, operations) => {
    const objects = held.get(target) ?? new Map<number, Held>();
    held.set(target, objects);
    return timed(writers, operations, (i) => update(target, i % changed, objects, encoding));
  };
  return { name, operations: operationsBy(writers), warmUp: writesUntilWarm, bar: quarter, turn };
}

/** As a controller does that has seen the object: the update goes without a read unless another cell has changed it meanwhile. */
async function update(target: Target, index: number, objects: Map<number, Held>, { headers, read, write }: Encoding): Promise<void> {
  const path = `${pods}/pod-${index}`;
  const pod = objects.get(index) ?? read((await target.expect(200, { path, headers })).body);
  pod.metadata.labels['turn'] = nextSerial();
  const { code, body } = await target.ask({ method: 'PUT', path, body: write(pod), headers });
  if (code === 200) objects.set(index, read(body));
  else objects.delete(index);
}

function protobufOf(pod: object): Buffer {
  return writeEnvelope('v1', 'Pod', encodeProtobuf(Pod, pod));
}

async function createAndDelete(target: Target): Promise<void> {
  const name = `gone-${nextSerial()}`;
  await succeed(target, { method: 'POST', path: configMaps, body: configMap(name) });
  await succeed(target, { method: 'DELETE', path: `${configMaps}/${name}` });
}
