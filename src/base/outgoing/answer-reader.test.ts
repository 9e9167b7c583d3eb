import { describe, expect, test } from 'vitest';
import { type AnswerHead, AnswerReader } from '#base/outgoing/answer-reader.ts';

interface Read {
  readonly head: AnswerHead | undefined;
  readonly body: string;
  readonly reader: AnswerReader;
  /** Bytes that do not belong to the answer. */
  readonly left: number;
}

function read(text: string, pieceBytes: number): Read {
  let head: AnswerHead | undefined;
  let body = '';
  const reader = new AnswerReader({ onHead: (each) => (head = each), onData: (chunk) => (body += chunk.toString('latin1')) });
  const bytes = Buffer.from(text, 'latin1');
  let used = 0;
  for (let at = 0; at < bytes.length && !reader.isDone; at += pieceBytes) used = at + reader.read(bytes.subarray(at, at + pieceBytes));
  return { head, body, reader, left: bytes.length - used };
}

const answer = (...lines: readonly string[]) => lines.join('\r\n');

describe.each([1, 3, 1 << 16])('in pieces of %i bytes', (pieceBytes) => {
  test.each([
    ['with a length', answer('HTTP/1.1 200 OK', 'Content-Length: 5', '', 'hello'), 'hello'],
    [
      'in chunks, with extensions and trailers',
      answer('HTTP/1.1 200 OK', 'transfer-encoding: Chunked', '', '3;x=y', 'abc', 'A', '0123456789', '0', 'x: y', '', ''),
      'abc0123456789',
    ],
    ['with bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nhi', 'hi'],
    ['after an interim answer', answer('HTTP/1.1 103 Early Hints', 'link: x', '', 'HTTP/1.1 200 OK', 'content-length: 2', '', 'hi'), 'hi'],
    ['of nothing', answer('HTTP/1.1 204 No Content', '', ''), ''],
  ])('an answer %s is read to its end', (_what, text, body) => {
    const { reader, body: found, left, head } = read(text, pieceBytes);
    expect([found, left, reader.isDone, reader.keepsOpen]).toEqual([body, 0, true, true]);
    expect(head?.code).toBeGreaterThanOrEqual(200);
  });

  test('without a length an answer ends with the connection', () => {
    const { reader, body } = read(answer('HTTP/1.1 200 OK', 'content-type: text/plain', '', 'all of it'), pieceBytes);
    expect([body, reader.isDone]).toEqual(['all of it', false]);
    reader.end();
    expect(reader.isDone).toBe(true);
  });

  test.each([
    ['hello\r\n\r\n', 'malformed HTTP response "hello"'],
    ['HTTP/2.0 200 OK\r\n\r\n', 'malformed HTTP response "HTTP/2.0 200 OK"'],
    [answer('HTTP/1.1 200 OK', 'no header', '', ''), 'malformed MIME header line: no header'],
    [answer('HTTP/1.1 200 OK', 'content-length: -1', '', ''), 'bad Content-Length "-1"'],
    [answer('HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2', '', ''), 'multiple Content-Length headers'],
    [answer('HTTP/1.1 200 OK', 'transfer-encoding: gzip', '', ''), 'unsupported transfer encoding: "gzip"'],
    [answer('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', 'zz', ''), 'invalid byte in chunk length'],
    [answer('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '1', 'abc', ''), 'malformed chunked encoding'],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(2 << 20)}`, 'server response headers exceeded 1048576 bytes'],
  ])('%j is no answer', (text, why) => {
    expect(() => read(text, Math.max(pieceBytes, text.length >> 10))).toThrow(why);
  });
});

test('what a server says about its connections is heard', () => {
  const of = (...headers: readonly string[]) => read(answer('HTTP/1.1 200 OK', 'content-length: 0', ...headers, '', ''), 1 << 16).reader;
  expect(of('connection: Close').keepsOpen).toBe(false);
  expect(of('Connection: keep-alive', 'Keep-Alive: timeout=5').idleSeconds).toBe(5);
  expect(of().idleSeconds).toBeUndefined();
  expect(read(answer('HTTP/1.0 200 OK', 'content-length: 0', '', ''), 1 << 16).reader.keepsOpen).toBe(false);
});

test('bytes behind an answer are not part of it', () => {
  expect(read(answer('HTTP/1.1 200 OK', 'content-length: 2', '', 'hiHTTP/1.1 200 OK'), 1 << 16).left).toBe(15);
});

test.each([
  ['', 'EOF'],
  ['HTTP/1.1 200', 'net/http: HTTP/1.x transport connection broken: unexpected EOF'],
  [answer('HTTP/1.1 200 OK', 'content-length: 5', '', 'he'), 'unexpected EOF'],
])('a connection that ends after %j is told as Go does', (text, why) => {
  expect(() => read(text, 1 << 16).reader.end()).toThrow(why);
});
