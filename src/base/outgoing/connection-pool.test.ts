import { EventEmitter } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { ConnectionPool } from '#base/outgoing/connection-pool.ts';
import type { Asking } from '#base/outgoing/kept-connection.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';

/** The wire, as far as a connection looks at it. */
class Wire extends EventEmitter {
  readonly written: string[] = [];
  isDestroyed = false;

  write(text: string): void {
    this.written.push(text);
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  answer(more = ''): void {
    this.emit('data', Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: 0\r\n${more}\r\n`));
  }
}

function poolOf(mostConnections: number) {
  const wires: Wire[] = [];
  const refusals: OutgoingFailure[] = [];
  const dial = async () => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    wires.push(new Wire());
    return wires.at(-1) as unknown as TLSSocket;
  };
  return { wires, refusals, pool: new ConnectionPool({ dial, mostConnections, idleMs: 60_000 }) };
}

function asking(text: string): Asking & { state: string } {
  const made = {
    text,
    state: 'waits',
    onStart: () => void (made.state = 'sent'),
    onHead: () => {},
    onData: () => {},
    onEnd: () => void (made.state = 'answered'),
    fail: ({ message }: OutgoingFailure) => void (made.state = message),
  };
  return made;
}

const immediate = () => new Promise((resolve) => setImmediate(resolve));

/** Dialling ends before the first one, and what it brings is written before the second. */
async function turn(): Promise<void> {
  await immediate();
  await immediate();
}

test('a connection is used again, by whoever waits first', async () => {
  const { pool, wires } = poolOf(1);
  const [one, two] = [asking('one'), asking('two')];
  pool.send(one);
  pool.send(two);
  await turn();
  expect([wires.length, wires[0]?.written, two.state]).toEqual([1, ['one'], 'waits']);
  wires[0]?.answer();
  await turn();
  expect([one.state, two.state, wires[0]?.written]).toEqual(['answered', 'sent', ['one', 'two']]);
  pool.destroy(new OutgoingFailure('over'));
  expect([two.state, wires[0]?.isDestroyed]).toEqual(['EOF', true]);
});

test.each(['connection: close\r\n', 'keep-alive: timeout=1\r\n'])('one whose server says %j is not used again', async (header) => {
  const { pool, wires } = poolOf(4);
  pool.send(asking('one'));
  await turn();
  wires[0]?.answer(header);
  pool.send(asking('two'));
  await turn();
  expect(wires.map(({ written }) => written)).toEqual([['one'], ['two']]);
});

test('one that its server closed while it was idle, or over which bytes came unasked, is not used again', async () => {
  const { pool, wires } = poolOf(4);
  pool.send(asking('one'));
  await turn();
  wires[0]?.answer();
  wires[0]?.emit('end');
  pool.send(asking('two'));
  await turn();
  wires[1]?.answer();
  wires[1]?.answer();
  pool.send(asking('three'));
  await turn();
  expect(wires.map(({ written }) => written)).toEqual([['one'], ['two'], ['three']]);
});

test('a dial that fails fails the call that waits longest, and others dial again', async () => {
  const { pool, wires, refusals } = poolOf(1);
  refusals.push(new OutgoingFailure('refused'));
  const [one, two] = [asking('one'), asking('two')];
  pool.send(one);
  pool.send(two);
  await turn();
  expect([one.state, two.state, wires.length]).toEqual(['refused', 'sent', 1]);
});

test('a call that was withdrawn is not sent', async () => {
  const { pool, wires } = poolOf(1);
  const one = asking('one');
  pool.send(one);
  pool.withdraw(one);
  await turn();
  expect([one.state, wires[0]?.written]).toEqual(['waits', []]);
});

test('what one turn of the event loop asks is written at its end, except for calls that are over by then', async () => {
  const { pool, wires } = poolOf(2);
  const first = [asking('one'), asking('two')];
  for (const each of first) pool.send(each);
  await turn();
  for (const wire of wires) wire.answer();
  pool.send(asking('three'));
  let connection: { destroy(): void } | undefined;
  pool.send({ ...asking('four'), onStart: (started) => void (connection = started) });
  connection?.destroy();
  const written = () => wires.flatMap((wire) => wire.written).toSorted();
  expect(written()).toEqual(['one', 'two']);
  await turn();
  expect(written()).toEqual(['one', 'three', 'two']);
});
