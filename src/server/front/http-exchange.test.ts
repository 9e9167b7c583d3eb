import { expect, test } from 'vitest';
import type { Carrier } from '#server/front/carrier.ts';
import { HttpExchange } from '#server/front/http-exchange.ts';

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

  async readBody(): Promise<Buffer> {
    return Buffer.alloc(0);
  }

  onClose(listener: () => void): void {
    this.listeners.push(listener);
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

function exchangeOn(wire: Wire): HttpExchange {
  return new HttpExchange(wire satisfies Carrier);
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
  ['the client has gone', (_: HttpExchange, wire: Wire) => wire.close()],
  ['the server has asked for an end', (exchange: HttpExchange) => exchange.endEarly()],
  ['the deadline has passed', (exchange: HttpExchange) => exchange.cutShort(504, 'text/plain', 'late')],
])('a signal that is asked for after %s has aborted', (_, happen) => {
  const wire = new Wire();
  const exchange = exchangeOn(wire);
  happen(exchange, wire);
  expect(exchange.gone).toBe(true);
  expect(exchange.signal.aborted).toBe(true);
  expect(() => exchange.signal.throwIfAborted()).toThrow(expect.objectContaining({ name: 'AbortError' }));
});
