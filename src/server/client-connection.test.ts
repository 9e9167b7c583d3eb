import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ClientConnection } from '#server/client-connection.ts';
import { ReadTurns } from '#server/read-turns.ts';

function connected() {
  const calls: string[] = [];
  const handle = { reading: true, readStop: () => calls.push('stop'), readStart: () => calls.push('start') };
  const socket = { remoteAddress: '127.0.0.1', _handle: handle, _paused: false };
  const turns = new ReadTurns({ longTurnMs: 5, perTurn: 2, now: () => 0 });
  return { calls, handle, socket, connection: new ClientConnection(socket as unknown as Socket, turns) };
}

test('a connection that is read again later says so in the way in which HTTP/1.1 keeps count', () => {
  const { calls, handle, connection } = connected();
  connection.stopReading();
  expect(handle.reading).toBe(false);
  connection.startReading();
  expect(handle.reading).toBe(true);
  expect(calls).toEqual(['stop', 'start']);
});

test('a connection that HTTP/1.1 has paused meanwhile is left to it', () => {
  const { calls, handle, socket, connection } = connected();
  connection.stopReading();
  socket._paused = true;
  connection.startReading();
  expect(calls).toEqual(['stop']);
  expect(handle.reading).toBe(false);
});

test('a connection of HTTP/2 is not asked whether it is paused: its socket throws when the session is gone', () => {
  const { calls, socket } = connected();
  const gone = Object.defineProperty({ ...socket, alpnProtocol: 'h2' }, '_paused', {
    get: () => {
      throw new Error('the session is gone');
    },
  });
  const connection = new ClientConnection(gone as unknown as Socket, new ReadTurns({ longTurnMs: 5, perTurn: 2, now: () => 0 }));
  connection.stopReading();
  connection.startReading();
  expect(calls).toEqual(['stop', 'start']);
});
