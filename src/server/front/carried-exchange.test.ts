import { expect, test } from 'vitest';
import type { Carrier } from '#server/front/carrier.ts';
import { CarriedExchange } from '#server/front/carried-exchange.ts';

/** The wire, as far as who is still there. */
class Wire {
  closed = false;
  readonly listeners: (() => void)[] = [];
  readonly connection = { remoteAddress: '127.0.0.1', clientCertificates: [], answered: () => {} };
  readonly protocol = 'HTTP/1.1';
  readonly method = 'GET';
  readonly target = '/api';
  readonly headers = {};
  readonly rawHeaders = [];
  readonly upgradeTo = '';
  /** What has been sent is with the client. */
  taken = true;
  discarded = 0;

  async readBody(): Promise<Buffer> {
    return Buffer.alloc(0);
  }

  body(): never {
    throw new Error('nobody streams here');
  }

  discardBody(): void {
    this.discarded++;
  }

  onClose(listener: () => void): void {
    this.listeners.push(listener);
  }

  onTaken(listener: () => void): void {
    this.listeners.push(listener);
  }

  upgrade(): never {
    throw new Error('nobody upgrades here');
  }

  send(): void {}

  destroy(): void {}

  open(): never {
    throw new Error('nobody streams here');
  }

  close(): void {
    this.closed = true;
    for (const listener of this.listeners) listener();
  }
}

function exchangeOn(wire: Wire): CarriedExchange {
  return new CarriedExchange(wire satisfies Carrier);
}

test('a request that waits for nothing asks the wire for nothing', () => {
  const wire = new Wire();
  const exchange = exchangeOn(wire);
  exchange.send(200, 'text/plain', 'ok');
  expect(exchange.gone).toBe(false);
  expect(wire.listeners).toEqual([]);
});

test('the signal aborts when the client goes', () => {
  const wire = new Wire();
  const exchange = exchangeOn(wire);
  const { signal } = exchange;
  expect([signal.aborted, exchange.gone]).toEqual([false, false]);
  wire.close();
  expect([signal.aborted, exchange.gone]).toEqual([true, true]);
});

test.each([
  ['the client has gone', (_: CarriedExchange, wire: Wire) => wire.close()],
  ['the server has asked for an end', (exchange: CarriedExchange) => exchange.endEarly()],
  ['the deadline has passed', (exchange: CarriedExchange) => exchange.cutShort(504, 'text/plain', 'late')],
])('a signal that is asked for after %s has aborted', (_, happen) => {
  const wire = new Wire();
  const exchange = exchangeOn(wire);
  happen(exchange, wire);
  expect(exchange.gone).toBe(true);
  expect(exchange.signal.aborted).toBe(true);
  expect(() => exchange.signal.throwIfAborted()).toThrow(expect.objectContaining({ name: 'AbortError' }));
});

test('an answer that is not taken yet tells those who wait for it when it is, and one that is tells them at once', () => {
  const wire = new Wire();
  const exchange = exchangeOn(wire);
  const told: string[] = [];
  exchange.onTaken(() => told.push('before the answer'));
  expect(told).toEqual([]);
  wire.taken = false;
  exchange.send(200, 'text/plain', 'ok');
  exchange.onTaken(() => told.push('after it'));
  expect([told, exchange.taken]).toEqual([[], false]);
  wire.taken = true;
  wire.close();
  exchange.onTaken(() => told.push('too late'));
  expect(told).toEqual(['before the answer', 'after it', 'too late']);
});

test('a handler that fails after its request was cut short breaks nothing off', () => {
  const wire = new Wire();
  let destroyed = false;
  wire.destroy = () => {
    destroyed = true;
  };
  const exchange = exchangeOn(wire);
  wire.taken = false;
  exchange.cutShort(504, 'text/plain', 'late');
  exchange.cutShort(500, 'text/plain', 'failed');
  expect([destroyed, wire.discarded > 0]).toEqual([false, true]);
});
