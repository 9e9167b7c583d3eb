// Events over WebSocket, one message for each. Clients have nothing to say here but pings and goodbye.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type EventFormat, splitEvents } from '#server/answer/split-events.ts';

export interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What came after the head of the request. */
  readonly head: Buffer;
}

/** Answers the handshake, well or badly; what is written after a bad one goes nowhere. */
export function openEventSocket({ request, socket, head }: Handshake, format: EventFormat): Writable {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return refuse(socket, refusal);
  let events: Writable = nowhere();
  handshaker.handleUpgrade(request, socket, head, (client) => (events = eventsTo(client, format)));
  return events;
}

/** Never listens: it only shakes hands. */
const handshaker = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: 64 * 1024,
  handleProtocols: (offered) => [...offered].find(isNoSecret) ?? false,
});

/** Browsers hide their token among the protocols: it must not come back. */
function isNoSecret(protocol: string): boolean {
  return !protocol.startsWith('base64url.bearer.authorization.k8s.io.');
}

/** What the original answers to a handshake that it does not like: a bare line. */
function refusalOf({ headers }: IncomingMessage): string | undefined {
  if (headers['sec-websocket-version'] !== '13') return '400 Bad Request\r\nSec-WebSocket-Version: 13';
  if (headers.origin !== undefined && headers.origin !== '' && !isAddress(headers.origin)) return '403 Forbidden';
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').filter((protocol) => isNoSecret(protocol.trim()));
  return protocols.length > 1 ? '400 Bad Request' : undefined;
}

function isAddress(origin: string): boolean {
  return origin.startsWith('/') || URL.canParse(origin);
}

function refuse(socket: Socket, line: string): Writable {
  socket.end(`HTTP/1.1 ${line}\r\n\r\n`, () => socket.destroySoon());
  return nowhere();
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function eventsTo(client: WebSocket, format: EventFormat): Writable {
  client.on('error', () => {});
  answerPings(client);
  const events = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const messages = splitEvents(chunk, format);
      if (messages.length === 0) return done();
      for (const [i, message] of messages.entries()) {
        // The exchange notices a client that is gone: nothing here is an error.
        const sent = i === messages.length - 1 ? () => done() : undefined;
        client.send(message, { binary: format !== 'json' }, sent);
      }
    },
    final(done) {
      client.close(1000);
      done();
    },
  });
  client.once('close', () => events.destroy());
  return events;
}

/** One pong at a time: a client that does not read its pongs gets only the last one when it does (RFC 6455, 5.5.3). */
function answerPings(client: WebSocket): void {
  let isSending = false;
  let next: Buffer | undefined;
  const pong = (payload: Buffer) => {
    isSending = true;
    client.pong(payload, false, () => {
      isSending = false;
      const last = next;
      next = undefined;
      if (last !== undefined && client.readyState === client.OPEN) pong(last);
    });
  };
  client.on('ping', (payload) => {
    // Of a larger buffer that it would keep alive.
    if (isSending) next = Buffer.from(payload);
    else pong(payload);
  });
}
