import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ParsedSocket } from '#server/front/parsed-socket.ts';

function connected() {
  const calls: string[] = [];
  const handle = { reading: true, readStop: () => calls.push('stop'), readStart: () => calls.push('start') };
  const socket = { _handle: handle, _paused: false };
  return { calls, handle, socket, reading: new ParsedSocket(socket as unknown as Socket) };
}

test('a connection that is read again later says so in the way in which HTTP/1.1 keeps count', () => {
  const { calls, handle, reading } = connected();
  reading.stopReading();
  expect(handle.reading).toBe(false);
  reading.startReading();
  expect(handle.reading).toBe(true);
  expect(calls).toEqual(['stop', 'start']);
});

test('a connection that HTTP/1.1 has paused meanwhile is left to it', () => {
  const { calls, handle, socket, reading } = connected();
  reading.stopReading();
  socket._paused = true;
  reading.startReading();
  expect(calls).toEqual(['stop']);
  expect(handle.reading).toBe(false);
});
