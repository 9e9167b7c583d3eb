// Signs approved signing requests of the signers of kubernetes.io with the server's own authority.
import { randomBytes } from 'node:crypto';
import { wholeSeconds } from '#api/whole-seconds.ts';
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { CertificateRequest } from '#base/pki/certificate-request.ts';
import { type Issuer, makeLeaf } from '#base/x509.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { certificateUsages, hasCondition, keptSubject, requestIn, signers, type StoredSigningRequest } from '#controllers/certificates/signing-rules.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';

export const signingRequests: ResourceAddress = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests', namespaced: false };

/** Who signs, and until when its own certificate holds (milliseconds since 1970). */
export interface Authority extends Issuer {
  readonly notAfter: number;
}

export interface SigningOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** Read for every certificate: it may have been renewed. */
  readonly authority: () => Authority;
}

const minute = 60_000;
const longestLife = 365 * 24 * 60 * minute;
/** Clocks of clients may be slow by this much. */
const backdated = 5 * minute;
/** Five minutes of a shorter life would matter: it is not cut at its end. */
const shortLife = 8 * 60 * minute;
const shortestLife = 10 * minute;

export function signingController(options: SigningOptions): Controller {
  const { client, clock } = options;
  const requests = options.sources.of<StoredSigningRequest>(signingRequests);
  const reconcile = async (key: string) => {
    const stored = requests.get('', splitKey(key).name)?.object;
    if (stored === undefined || !isToBeSigned(stored)) return;
    const request = requestIn(stored);
    const problem = signers[stored.spec.signerName]?.(request, stored.spec.usages ?? []) ?? request.signatureProblem();
    const status = problem === undefined ? { ...stored.status, certificate: issue(stored, request, options) } : failed(stored, problem, clock);
    await unlessGone(client.update(signingRequests, { ...stored, status } as StoredSigningRequest, 'status'));
  };
  const sources = [keysOf(requests, (item) => (isToBeSigned(item.object) ? [sourceKey(item)] : []))];
  return controller({ ...options, name: 'certificatesigningrequest-signing-controller', sources, reconcile, retry: { firstMs: 200, maxMs: 1_000_000 } });
}

function isToBeSigned(stored: StoredSigningRequest): boolean {
  if (stored.status?.certificate || signers[stored.spec.signerName] === undefined) return false;
  return hasCondition(stored, 'Approved') && !hasCondition(stored, 'Denied') && !hasCondition(stored, 'Failed');
}

function failed({ status }: StoredSigningRequest, message: string, clock: Clock): unknown {
  const condition = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message, lastUpdateTime: wholeSeconds(clock.now()) };
  return { ...status, conditions: [...(status?.conditions ?? []), condition] };
}

/** The certificate as the API carries it: base64 of its PEM. */
function issue({ spec }: StoredSigningRequest, request: CertificateRequest, { authority, clock }: SigningOptions): string {
  const { notAfter: authorityEnds, ...issuer } = authority();
  const now = clock.now().getTime();
  const life = spec.expirationSeconds === undefined ? longestLife : Math.min(longestLife, Math.max(shortestLife, spec.expirationSeconds * 1_000));
  const ends = Math.min(life < shortLife ? now + life : now + life - backdated, authorityEnds);
  if (now >= authorityEnds) throw new Error(`refusing to sign a certificate that expired in the past: NotAfter=${new Date(authorityEnds).toISOString()}`);
  if (request.publicKey === undefined) throw new Error('the request has a key of an unknown kind');
  const leaf = {
    subject: keptSubject(request.subject),
    publicKey: request.publicKey,
    serial: randomBytes(16),
    notBefore: new Date(now - backdated),
    notAfter: new Date(ends),
    ...certificateUsages(spec.usages ?? []),
    names: request.alternativeNames,
  };
  return Buffer.from(makeLeaf(leaf, issuer)).toString('base64');
}
