// Who a client says it is: asked for again with every request, because tokens and certificates are exchanged while it runs.
import { readFile } from 'node:fs/promises';
import type { Clock } from '#base/clock.ts';

export interface Identity {
  readonly token?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  /** PEM, both or none. */
  readonly cert?: string;
  readonly key?: string;
}

export interface IdentitySource {
  current(): Promise<Identity>;
  /** The server did not believe it (401): whatever is remembered is worth nothing any more. */
  refused?(): void;
}

export function fixedIdentity(identity: Identity): IdentitySource {
  return { current: async () => identity };
}

/** How long a token from a file is used before the file is read again; the kubelet renews it long before it expires. */
const rereadMs = 60_000;

export function tokenFileIdentity(file: string, clock: Clock, rest: Identity = {}): IdentitySource {
  let known: { readonly token: string; readonly at: number } | undefined;
  return {
    async current() {
      const now = clock.now().getTime();
      if (known === undefined || now - known.at >= rereadMs) known = { token: await readToken(file, known?.token ?? rest.token), at: now };
      return { ...rest, token: known.token };
    },
    refused() {
      known = undefined;
    },
  };
}

/** A file that cannot be read for a moment is no reason to forget the last token, or the one that was given beside it. */
async function readToken(file: string, last: string | undefined): Promise<string> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    if (token !== '') return token;
    throw new Error(`the token file ${file} is empty`);
  } catch (error) {
    if (last !== undefined) return last;
    throw error;
  }
}

export function authorizationOf({ token, basic }: Identity): Readonly<Record<string, string>> {
  if (token !== undefined && token !== '') return { authorization: `Bearer ${token}` };
  if (basic === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` };
}
