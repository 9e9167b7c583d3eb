// What GET and LIST cost, in JSON and in the forms that clients ask for beside it: protobuf (client-go of everything in Go), Tables
// (kubectl get), PartialObjectMetadata (controllers that look at metadata only).
import { type Cell, succeed, timed } from './cell.ts';
import { accepts, pods } from './reading.ts';
import type { Ask } from './target.ts';

const byNode = 'fieldSelector=spec.nodeName%3Dnode-7';
const byLabel = 'labelSelector=node%3Dnode-7';
const fifth = 1 / 5;

export const readCells: readonly Cell[] = [
  getting('get JSON, 1 connection', 1, {}),
  getting('get JSON', 32, {}),
  getting('get protobuf, 1 connection', 1, accepts.protobuf),
  getting('get protobuf', 32, accepts.protobuf),
  listing('list all JSON', { path: pods }, { operations: 3, bar: 1 / 10 }),
  listing('list all, gzip', { path: pods, headers: { 'accept-encoding': 'gzip' } }, { operations: 3, bar: fifth }),
  listing('list all, protobuf', { path: pods, headers: accepts.protobuf }, { operations: 3, bar: fifth }),
  listing('list all, table', { path: pods, headers: accepts.table }, { operations: 2, bar: fifth }),
  listing('list all, metadata JSON', { path: pods, headers: accepts.metadata }, { operations: 3, bar: fifth }),
  listing('list all, metadata protobuf', { path: pods, headers: accepts.metadataProtobuf }, { operations: 3, bar: fifth }),
  listing('list a page of 500', { path: `${pods}?limit=500` }, { operations: 30, bar: fifth }),
  listing('list by label', { path: `/api/v1/pods?${byLabel}` }, { operations: 40, bar: fifth }),
  listing('list by spec.nodeName', { path: `/api/v1/pods?${byNode}` }, { operations: 40, bar: 1 / 6 }),
];

function getting(name: string, connections: number, headers: Ask['headers'] & object): Cell {
  return {
    name,
    operations: connections === 1 ? 400 : 1000,
    warmUp: 3000,
    bar: fifth,
    turn: (target, operations) => timed(connections, operations, (i) => succeed(target, { path: `${pods}/pod-${i % 1000}`, headers, discard: true })),
  };
}

function listing(name: string, ask: Ask, { operations, bar }: Pick<Cell, 'operations'> & { readonly bar: number }): Cell {
  const turn: Cell['turn'] = (target, times) => timed(1, times, () => succeed(target, { ...ask, discard: true }));
  return { name, operations, warmUp: 4 * operations, bar, turn };
}
