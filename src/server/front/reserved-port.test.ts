import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ReservedPort } from '#server/front/reserved-port.ts';

function greeter() {
  return createServer((socket: Socket) => socket.once('data', (data) => socket.end(`hello ${data}`)));
}

async function answerTo(client: Socket): Promise<string> {
  let text = '';
  for await (const piece of client) text += String(piece);
  return text;
}

test('a connection that came before the server, with what it sent, is answered by it; and so is one that comes later', async () => {
  const reserved = await ReservedPort.open('127.0.0.1', 0);
  const early = connect(reserved.port, '127.0.0.1');
  early.write('early');
  await once(early, 'connect');
  const front = greeter();
  reserved.handTo(front);
  expect(await answerTo(early)).toBe('hello early');
  const late = connect(reserved.port, '127.0.0.1');
  late.write('late');
  expect(await answerTo(late)).toBe('hello late');
  front.close();
  await once(front, 'close');
});

test('a client that gives up while it waits harms nobody', async () => {
  const reserved = await ReservedPort.open('127.0.0.1', 0);
  const impatient = connect(reserved.port, '127.0.0.1');
  await once(impatient, 'connect');
  impatient.resetAndDestroy();
  const patient = connect(reserved.port, '127.0.0.1');
  patient.write('still here');
  await once(patient, 'connect');
  const front = greeter();
  reserved.handTo(front);
  expect(await answerTo(patient)).toBe('hello still here');
  front.close();
  await once(front, 'close');
});

test('without a server after all, whoever waits is told, and the port is free again', async () => {
  const reserved = await ReservedPort.open('127.0.0.1', 0);
  const { port } = reserved;
  const client = connect(port, '127.0.0.1').on('error', () => {});
  await once(client, 'connect');
  client.resume();
  reserved.close();
  await once(client, 'close');
  const again = await ReservedPort.open('127.0.0.1', port);
  again.close();
});
