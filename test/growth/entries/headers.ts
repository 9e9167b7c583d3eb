// What stands in the head of a request: media types, tokens, identities. All of it is read before or while the sender is authenticated.
import { bearerToken } from '#auth/authentication/bearer-token.ts';
import { parseJwt } from '#auth/authentication/jwt.ts';
import { extraInHeaders } from '#auth/extra-in-headers.ts';
import { acceptsGzip } from '#server/answer/accepts-gzip.ts';
import { parseAccept } from '#server/answer/accept-header.ts';
import { parseMediaType } from '#server/answer/media-type.ts';
import { formatOfBody, negotiateOrJson, refuseUnknownAccept } from '#server/answer/negotiate.ts';
import type { Carrier } from '#server/front/carrier.ts';
import { CarriedExchange } from '#server/front/carried-exchange.ts';
import { readRequestHead } from '#server/http2/request-head.ts';
import { readSettings } from '#base/http2/peer-settings.ts';
import { HpackDecoder } from '#base/http2/hpack/decoder.ts';
import { decodeHuffman } from '#base/http2/hpack/huffman.ts';
import { type GrowthEntry, headBytes, numbered, repeated, textEntry } from '../growth-entry.ts';

const accept = (name: string, text: (bytes: number) => string): GrowthEntry[] => [
  textEntry(`Accept with ${name}`, 'src/server/answer/accept-header.ts#parseAccept', text, parseAccept),
  textEntry(`Accept with ${name}, of a refusal`, 'src/server/answer/negotiate.ts#negotiateOrJson', text, (value) =>
    negotiateOrJson({ headers: { accept: value }, query: new URLSearchParams() }),
  ),
  textEntry(`Accept with ${name}, of a resource`, 'src/server/answer/negotiate.ts#refuseUnknownAccept', text, (value) =>
    refuseUnknownAccept({ headers: { accept: value }, query: new URLSearchParams() }, 'single'),
  ),
];

const contentType = (name: string, text: (bytes: number) => string): GrowthEntry[] => [
  textEntry(`Content-Type with ${name}`, 'src/server/answer/media-type.ts#parseMediaType', text, parseMediaType),
  textEntry(`Content-Type with ${name}, of a body`, 'src/server/answer/negotiate.ts#formatOfBody', text, (value) => formatOfBody({ 'content-type': value })),
];

const nothing = { warn: () => {}, remoteAddress: '', clientCertificates: [], headerValues: () => [] };

export const headerEntries: readonly GrowthEntry[] = [
  ...accept('many clauses', (bytes) => repeated('a/b,', bytes)),
  ...accept('wildcards before names', (bytes) => repeated('*,', bytes / 2) + repeated('a/b,', bytes / 2)),
  ...accept('rising qualities', (bytes) => numbered((i) => `a/b;q=0.${String(i).padStart(7, '0')},`, bytes).join('')),
  ...accept('blanks between two characters', (bytes) => `a${repeated(' ', bytes)}b/c`),
  ...accept('blanks around a parameter', (bytes) => `a/b;q${repeated(' ', bytes)}x=1`),
  ...accept('many parameters', (bytes) => `application/json;${numbered((i) => `p${i}=1;`, bytes).join('')}`),
  ...accept('slashes', (bytes) => repeated('/', bytes)),
  ...accept('equal signs', (bytes) => `a/b;x${repeated('=', bytes)}y`),
  ...contentType('blanks', (bytes) => `application/json${repeated(' ', bytes)}x`),
  ...contentType('blanks and tabs in front', (bytes) => `${repeated(' \t', bytes)},`),
  ...contentType('parameters', (bytes) => `application/json${repeated('; a=b', bytes)}"`),
  ...contentType('blanks between parameters', (bytes) => `application/json; a=b${repeated(' ', bytes)}"`),
  ...contentType('a quoted text without an end', (bytes) => `application/json; a="${repeated('\\"', bytes)}`),
  ...contentType('semicolons', (bytes) => `application/json${repeated(';', bytes)}`),
  textEntry(
    'Accept-Encoding with blanks',
    'src/server/answer/accepts-gzip.ts#acceptsGzip',
    (bytes) => `a${repeated(' ', bytes)}b`,
    (value) => acceptsGzip({ headers: { 'accept-encoding': value } }),
  ),
  textEntry(
    'Authorization with blanks',
    'src/auth/authentication/bearer-token.ts#bearerToken',
    (bytes) => `Bearer${repeated(' ', bytes)}x`,
    (value) => void bearerToken(() => [])({ ...nothing, headers: { authorization: value } }),
  ),
  textEntry(
    'sub-protocols of a WebSocket',
    'src/auth/authentication/bearer-token.ts#bearerToken',
    (bytes) => repeated('a ,', bytes),
    (value) => void bearerToken(() => [])({ ...nothing, headers: { upgrade: 'websocket', 'sec-websocket-protocol': value } }),
  ),
  textEntry('a token of dots', 'src/auth/authentication/jwt.ts#parseJwt', (bytes) => repeated('.', bytes), parseJwt),
  textEntry(
    'a token of nested JSON',
    'src/auth/authentication/jwt.ts#parseJwt',
    (bytes) => `${Buffer.from(repeated('[', bytes * 0.7)).toString('base64url')}.e30.x`,
    parseJwt,
  ),
  {
    name: 'headers of many names',
    covers: ['src/server/http2/request-head.ts#readRequestHead'],
    maxBytes: headBytes,
    prepare: (bytes) => {
      const fields = [...requestLine, ...numbered((i) => `x-${i}`, bytes / 5).flatMap((name) => [name, 'value'])];
      return () => readRequestHead(fields);
    },
  },
  {
    name: 'one header many times',
    covers: ['src/server/http2/request-head.ts#readRequestHead'],
    maxBytes: headBytes,
    prepare: (bytes) => {
      const fields = [...requestLine, ...Array.from({ length: bytes / 8 }, () => ['x-a', 'value']).flat()];
      return () => String(readRequestHead(fields)?.headers['x-a']).length;
    },
  },
  {
    name: 'an extra of a user in many headers',
    covers: ['src/auth/extra-in-headers.ts#extraInHeaders'],
    maxBytes: headBytes,
    prepare: (bytes) => {
      const rawHeaders = numbered((i) => `impersonate-extra-${i}`, bytes).flatMap((name) => [name, 'v']);
      const headers = readRequestHead([...requestLine, ...rawHeaders])?.headers ?? {};
      return () =>
        extraInHeaders(new CarriedExchange({ method: 'GET', target: '/', headers, rawHeaders } as unknown as Carrier), ['impersonate-extra-'], String);
    },
  },
  {
    name: 'a header block of indexed fields',
    covers: ['src/base/http2/hpack/huffman.ts#decodeHuffman'],
    maxBytes: headBytes,
    prepare: (bytes) => {
      const block = Buffer.alloc(bytes, 0x82);
      return () => new HpackDecoder(4096).decode(block, () => {});
    },
  },
  {
    name: 'a text in Huffman code',
    covers: ['src/base/http2/hpack/huffman.ts#decodeHuffman'],
    maxBytes: headBytes,
    prepare: (bytes) => {
      const [text, out] = [Buffer.alloc(bytes, 0), Buffer.alloc(bytes * 2)];
      return () => decodeHuffman(text, 0, text.length, out);
    },
  },
  {
    name: 'many settings',
    covers: ['src/base/http2/peer-settings.ts#readSettings'],
    maxBytes: 16_384,
    prepare: (bytes) => {
      const frame = Buffer.alloc(Math.floor(bytes / 6) * 6);
      return () => readSettings(frame);
    },
  },
];

const requestLine = [':method', 'GET', ':path', '/', ':scheme', 'https', ':authority', 'localhost'];
