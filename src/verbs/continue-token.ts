// The token that leads from one page of a list to the next: a revision and the key to go on from.
import { posix } from 'node:path';
import { badRequest } from '#api/api-error.ts';
import { withoutTrailing } from '#base/without-trailing.ts';
import { type JsonNode, JsonSyntaxError } from '#schema/json/json-node.ts';
import { parseExact } from '#schema/json/parse-json.ts';

export interface ContinuePoint {
  /** -1: whatever is latest, because the first pages' revision is gone. */
  readonly revision: number;
  /** As it was given: numbers are exact only up to 2^53. */
  readonly revisionText?: string;
  /** Below the prefix of the collection. */
  readonly start: string;
}

export function encodeContinue({ revision, start }: ContinuePoint): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

export function decodeContinue(token: string): ContinuePoint {
  const { v = '', rv = '0', start = '' } = parseToken(decodeBase64(withoutTrailing(token, '=')));
  if (v !== 'meta.k8s.io/v1') throw notValid(`server does not recognize this encoded version ${v}`);
  if (BigInt(rv) === 0n) throw notValid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw notValid('encoded start key empty (version meta.k8s.io/v1)');
  // A start key that climbs out of the collection must not be followed.
  const key = start.startsWith('/') ? start : `/${start}`;
  const cleaned = posix.normalize(key);
  if (cleaned !== key || cleaned.endsWith('/')) throw notValid(start);
  return { revision: Number(rv), revisionText: rv, start: cleaned.slice(1) };
}

function decodeBase64(text: string): Buffer {
  const bad = /[^A-Za-z0-9_-]/.exec(text);
  if (bad) throw notValid(`illegal base64 data at input byte ${bad.index}`);
  if (text.length % 4 === 1) throw notValid(`illegal base64 data at input byte ${text.length - 1}`);
  return Buffer.from(text, 'base64url');
}

type Token = { v?: string; rv?: string; start?: string };

const fields = { v: 'string', rv: 'int64', start: 'string' } as const;

/** As encoding/json fills upstream's continueToken: names in any case, null leaves a field as it is, the last of several counts. */
function parseToken(bytes: Buffer): Token {
  const root = nodeIn(bytes);
  if (root.is === 'null') return {};
  if (root.is !== 'object') throw notValid(`json: cannot unmarshal ${root.is === 'boolean' ? 'bool' : root.is} into Go value of type storage.continueToken`);
  const token: Token = {};
  for (const [i, key] of root.keys.entries()) {
    const name = key.toLowerCase();
    const value = root.values[i];
    if (value !== undefined && value.is !== 'null' && isField(name)) token[name] = textOf(name, value);
  }
  return token;
}

function isField(name: string): name is keyof typeof fields {
  return Object.hasOwn(fields, name);
}

function textOf(name: keyof typeof fields, value: JsonNode): string {
  const type = fields[name];
  if (type === 'string' && value.is === 'string') return value.text;
  if (type === 'int64' && value.is === 'number' && isInt64(value.text)) return value.text;
  const given = value.is === 'boolean' ? 'bool' : value.is === 'number' && type === 'int64' ? `number ${value.text}` : value.is;
  throw notValid(`json: cannot unmarshal ${given} into Go struct field continueToken.${name} of type ${type}`);
}

function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function nodeIn(bytes: Buffer): JsonNode {
  try {
    return parseExact(bytes);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw notValid(error.message);
    throw error;
  }
}

function notValid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
