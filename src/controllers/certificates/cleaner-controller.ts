// Deletes signing requests that nobody needs any more: answered or refused an hour ago, ignored for a day, or answered with a certificate
// that has expired.
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { parseCertificates } from '#base/pki/certificate.ts';
import type { RestClient } from '#client/rest-client.ts';
import { signingRequests } from '#controllers/certificates/signing-controller.ts';
import type { StoredSigningRequest } from '#controllers/certificates/signing-rules.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';

export interface CleanerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

const hour = 3_600_000;
const decidedFor = hour;
const pendingFor = 24 * hour;

export function signingRequestCleaner(options: CleanerOptions): Controller {
  const { client, clock } = options;
  const requests = options.sources.of<StoredSigningRequest>(signingRequests);
  const reconcile = async (key: string) => {
    const stored = requests.get('', splitKey(key).name)?.object;
    if (stored === undefined) return;
    const leftMs = endOf(stored) - clock.now().getTime();
    // A time that cannot be read never comes.
    if (leftMs >= 0) return Number.isFinite(leftMs) ? { againMs: leftMs + 1 } : undefined;
    const { name = '', uid } = stored.metadata;
    await unlessGone(client.delete(signingRequests, '', name, { preconditions: { uid } }));
  };
  return controller({ ...options, name: 'certificatesigningrequest-cleaner-controller', sources: [keysOf(requests, (item) => [sourceKey(item)])], reconcile });
}

/** When the request may go, in milliseconds since 1970. */
export function endOf({ metadata, status }: StoredSigningRequest): number {
  const { conditions = [], certificate } = status ?? {};
  if (conditions.length === 0) return after(metadata.creationTimestamp, pendingFor);
  const ends = conditions.map(({ type, lastUpdateTime }) => {
    if (type === 'Denied' || type === 'Failed') return after(lastUpdateTime, decidedFor);
    if (type !== 'Approved') return Infinity;
    return certificate ? Math.min(after(lastUpdateTime, decidedFor), expiryOf(certificate)) : after(lastUpdateTime, pendingFor);
  });
  return Math.min(...ends);
}

function after(time: string | undefined, milliseconds: number): number {
  return time ? Date.parse(time) + milliseconds : Infinity;
}

function expiryOf(certificate: string): number {
  try {
    return parseCertificates(Buffer.from(certificate, 'base64'))[0]?.notAfter ?? Infinity;
  } catch {
    // Signers may store what they like; what cannot be read has no end.
    return Infinity;
  }
}
