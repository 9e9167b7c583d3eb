// Against node:http2 as the other side: an implementation of HTTP/2 that is not ours.
import { once } from 'node:events';
import { constants, createServer as createHttp2Server, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream, type Settings } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { GrpcConnection } from '#base/grpc/grpc-connection.ts';
import { GrpcError, grpcCode } from '#base/grpc/grpc-error.ts';
import { MessageFrames, withFrame } from '#base/grpc/message-frames.ts';
import { systemTimers } from '#base/timers.ts';

type Answer = (stream: ServerHttp2Stream, request: Buffer, session: ServerHttp2Session) => void;

const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function listening(server: Server | Http2Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connected(answer: Answer, settings: Settings = {}): Promise<GrpcConnection> {
  const server = createHttp2Server({ settings });
  server.on('session', (session) => {
    opened.push(() => session.destroy());
    session.on('error', () => undefined);
  });
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => answer(stream, Buffer.concat(pieces), stream.session as ServerHttp2Session));
  });
  const connection = await GrpcConnection.open({ endpoint: await listening(server), tls: {}, timers: systemTimers, timeoutMs: 5_000 });
  opened.push(() => connection.close());
  return connection;
}

/** What was sent, and that all is well. */
const echo: Answer = (stream, request) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(request);
};

function outcome(call: Promise<Buffer>): Promise<string> {
  return call.then(
    (answer) => answer.toString(),
    (error: GrpcError) => `${error.code}${error.unsent ? ' unsent' : ''}: ${error.message.replace(/127[\d.:]+/, 'HOST')}`,
  );
}

describe('calls', () => {
  test('that are made together are answered each with its own', async () => {
    const connection = await connected(echo);
    const texts = Array.from({ length: 200 }, (_, i) => `message ${i}`);
    expect(await Promise.all(texts.map((text) => outcome(connection.call('/s/M', Buffer.from(text), 5_000))))).toEqual(texts);
  });

  test('with messages that are larger than the windows of both sides arrive whole', async () => {
    const connection = await connected(echo);
    const messages = [1 << 20, 12 << 20, 3, 0].map((length, i) => Buffer.alloc(length, `${i}: some text `));
    const answers = await Promise.all(messages.map((message) => connection.call('/s/M', message, 20_000)));
    expect(answers.map((answer, i) => answer.equals(messages[i] as Buffer))).toEqual([true, true, true, true]);
  });

  test('wait for their turn where the other side allows few at a time', async () => {
    let [now, most] = [0, 0];
    const slowly: Answer = (stream, request, session) => {
      most = Math.max(most, ++now);
      setImmediate(() => {
        now--;
        echo(stream, request, session);
      });
    };
    const connection = await connected(slowly, { maxConcurrentStreams: 2 });
    const texts = Array.from({ length: 20 }, (_, i) => `message ${i}`);
    expect(await Promise.all(texts.map((text) => outcome(connection.call('/s/M', Buffer.from(text), 5_000))))).toEqual(texts);
    expect(most).toBe(2);
  });

  test('end with the status that the other side gives', async () => {
    const connection = await connected((stream) =>
      stream.respond({ ':status': 200, 'grpc-status': '11', 'grpc-message': 'too old%3A 7' }, { endStream: true }),
    );
    expect(await outcome(connection.call('/s/M', Buffer.from('a'), 5_000))).toBe('11: too old: 7');
  });

  test('that are answered by no gRPC say which status came', async () => {
    const connection = await connected((stream) => stream.respond({ ':status': 502 }, { endStream: true }));
    expect(await outcome(connection.call('/s/M', Buffer.from('a'), 5_000))).toBe(`${grpcCode.unavailable}: HTTP status 502`);
  });

  test('that were refused unseen may be sent again, those that were broken off may have happened', async () => {
    const connection = await connected((stream, request) =>
      stream.close(request.includes('refuse') ? constants.NGHTTP2_REFUSED_STREAM : constants.NGHTTP2_INTERNAL_ERROR),
    );
    const calls = ['refuse', 'break'].map((text) => outcome(connection.call('/s/M', Buffer.from(text), 5_000)));
    expect(await Promise.all(calls)).toEqual(['14 unsent: the connection to etcd at HOST was lost', '14: the connection to etcd at HOST was lost']);
  });

  test('that are not answered in time end, and others go on', async () => {
    const connection = await connected((stream, request, session) => {
      if (!request.includes('silence')) echo(stream, request, session);
    });
    const silence = outcome(connection.call('/s/M', Buffer.from('silence'), 50));
    expect(await silence).toBe('4: etcd at HOST did not answer within 50 ms');
    expect(await outcome(connection.call('/s/M', Buffer.from('word'), 5_000))).toBe('word');
  });

  test('after a goodbye go elsewhere, those before it are answered', async () => {
    const connection = await connected((stream, request, session) => {
      if (!request.includes('first')) return;
      session.goaway(constants.NGHTTP2_NO_ERROR, stream.id as number);
      setImmediate(() => echo(stream, request, session));
    });
    const [first, second] = ['first', 'second'].map((text) => outcome(connection.call('/s/M', Buffer.from(text), 5_000)));
    expect(await first).toBe('first');
    expect(await second).toMatch(/^14 unsent/);
    expect(connection.isUsable).toBe(false);
    expect(await outcome(connection.call('/s/M', Buffer.from('third'), 5_000))).toMatch(/^14 unsent/);
  });

  test('whose connection is lost may have happened', async () => {
    const connection = await connected((_stream, _request, session) => session.destroy());
    expect(await outcome(connection.call('/s/M', Buffer.from('a'), 5_000))).toBe('14: the connection to etcd at HOST was lost');
    expect(connection.isUsable).toBe(false);
  });
});

test('a process that speaks no HTTP/2 is no connection', async () => {
  const server = createTcpServer((socket) => {
    opened.push(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  const opening = GrpcConnection.open({ endpoint: await listening(server), tls: {}, timers: systemTimers, timeoutMs: 5_000 });
  await expect(opening).rejects.toThrow(GrpcError);
});

test('a ping is answered, also where nothing else is to be said', async () => {
  const server = createHttp2Server();
  const answered = new Promise<Buffer>((resolve, reject) => {
    server.on('session', (session) => {
      opened.push(() => session.destroy());
      session.ping(Buffer.from('measured'), (error, _duration, payload) => (error ? reject(error) : resolve(payload)));
    });
  });
  const connection = await GrpcConnection.open({ endpoint: await listening(server), tls: {}, timers: systemTimers, timeoutMs: 5_000 });
  opened.push(() => connection.close());
  expect((await answered).toString()).toBe('measured');
});

test('a stream takes messages and hears messages until it is closed', async () => {
  const server = createHttp2Server();
  server.on('session', (session) => opened.push(() => session.destroy()));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    stream.on('data', (piece: Buffer) => stream.write(piece));
  });
  const connection = await GrpcConnection.open({ endpoint: await listening(server), tls: {}, timers: systemTimers, timeoutMs: 5_000 });
  opened.push(() => connection.close());
  const heard: string[] = [];
  const ended = new Promise<GrpcError>((resolve) => {
    const stream = connection.stream('/s/W', Buffer.from('1'), {
      message: (bytes) => {
        heard.push(bytes.toString());
        if (heard.length < 5) stream.send(Buffer.from(String(heard.length + 1)));
        else stream.close();
      },
      ended: resolve,
    });
  });
  expect((await ended).code).toBe(grpcCode.unavailable);
  expect(heard).toEqual(['1', '2', '3', '4', '5']);
});

test('messages are the same however they are cut', () => {
  const messages = ['', 'one', 'x'.repeat(300), 'two'];
  const bytes = Buffer.concat(messages.map((message) => withFrame(Buffer.from(message))));
  for (let size = 1; size <= bytes.length; size++) {
    const [frames, heard]: [MessageFrames, string[]] = [new MessageFrames(), []];
    for (let at = 0; at < bytes.length; at += size) frames.push(bytes.subarray(at, at + size), { message: (message) => heard.push(message.toString()) });
    expect(heard).toEqual(messages);
  }
});
