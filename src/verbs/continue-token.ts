// The token that leads from one page of a list to the next: a revision and the key to go on from.
import { posix } from 'node:path';
import { badRequest } from '#api/api-error.ts';
import { JsonSyntaxError, parseJson } from '#schema/json/parse-json.ts';

export interface ContinuePoint {
  /** -1: whatever is latest, because the first pages' revision is gone. */
  readonly revision: number;
  /** Below the prefix of the collection. */
  readonly start: string;
}

export function encodeContinue({ revision, start }: ContinuePoint): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

export function decodeContinue(token: string): ContinuePoint {
  const { v, rv, start } = parseToken(decodeBase64(withoutPadding(token)));
  if (v !== 'meta.k8s.io/v1') throw notValid(`server does not recognize this encoded version ${v ?? ''}`);
  if (typeof rv !== 'number' || rv === 0) throw notValid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '') throw notValid('encoded start key empty (version meta.k8s.io/v1)');
  // A start key that climbs out of the collection must not be followed.
  const key = start.startsWith('/') ? start : `/${start}`;
  const cleaned = posix.normalize(key);
  if (cleaned !== key || cleaned.endsWith('/')) throw notValid(start);
  return { revision: rv, start: cleaned.slice(1) };
}

function withoutPadding(token: string): string {
  let end = token.length;
  while (token[end - 1] === '=') end -= 1;
  return token.slice(0, end);
}

function decodeBase64(text: string): Buffer {
  const bad = /[^A-Za-z0-9_-]/.exec(text);
  if (bad) throw notValid(`illegal base64 data at input byte ${bad.index}`);
  if (text.length % 4 === 1) throw notValid(`illegal base64 data at input byte ${text.length - 1}`);
  return Buffer.from(text, 'base64url');
}

function parseToken(bytes: Buffer): Record<string, unknown> {
  try {
    const { value } = parseJson(bytes);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw notValid(error.message);
    throw error;
  }
}

function notValid(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
