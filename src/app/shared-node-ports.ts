// Node ports in use, for all servers of an etcd: the RangeAllocation that the original keeps beside its services, a bit for each port.
import type { SharedPorts } from '#kinds/core/v1/service/node-port-pool.ts';
import { RangeAllocation } from '#kinds/core/v1/unserved.ts';
import { storeRoot } from '#resource/keys.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { isEnvelope, readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import type { Store } from '#store/store.ts';

const key = `${storeRoot}ranges/servicenodeports`;

interface Range {
  readonly from: number;
  readonly to: number;
}

export function sharedNodePorts(store: Store, range: Range): SharedPorts {
  /** One change after the other: those of one server need not race each other. */
  let last: Promise<unknown> = Promise.resolve();
  const change: SharedPorts['change'] = async (take, free, known) => {
    for (;;) {
      const entry = await store.get(key);
      const ports = (entry && portsOf(entry.value, range)) ?? new Set(known);
      if (take.some((port) => ports.has(port))) return false;
      for (const port of take) ports.add(port);
      for (const port of free) ports.delete(port);
      if ((await store.compareAndSet(key, entry?.revision ?? 0, recordOf(ports, range))).committed) return true;
    }
  };
  return {
    async read() {
      const entry = await store.get(key);
      return entry && portsOf(entry.value, range);
    },
    change(...parts) {
      const changed = last.then(() => change(...parts));
      last = changed.catch(() => undefined);
      return changed;
    },
  };
}

/** As the original writes a range. */
function textOf({ from, to }: Range): string {
  return `${from}-${to}`;
}

/** Undefined where it was made for another range: then it has to be made anew. */
function portsOf(value: Uint8Array, range: Range): Set<number> | undefined {
  const record = isEnvelope(value) ? decodeProtobuf(RangeAllocation, readEnvelope(value).raw) : JSON.parse(Buffer.from(value).toString());
  if (record.range !== textOf(range)) return undefined;
  const bits = Buffer.from(String(record.data ?? ''), 'base64');
  const ports = new Set<number>();
  for (let offset = 0; offset < bits.length * 8; offset++) {
    if (((bits[bits.length - 1 - (offset >> 3)] ?? 0) >> (offset & 7)) & 1) ports.add(range.from + offset);
  }
  return ports;
}

/** The lowest port is the lowest bit of the last byte, as in a number of so many bits. */
function recordOf(ports: ReadonlySet<number>, range: Range): Buffer {
  const bits = Buffer.alloc(((range.to - range.from) >> 3) + 1);
  for (const port of ports) {
    const offset = port - range.from;
    const at = bits.length - 1 - (offset >> 3);
    if (offset >= 0 && port <= range.to) bits[at] = (bits[at] ?? 0) | (1 << (offset & 7));
  }
  const record = { metadata: {}, range: textOf(range), data: bits.toString('base64') };
  return writeEnvelope('v1', 'RangeAllocation', encodeProtobuf(RangeAllocation, record));
}
