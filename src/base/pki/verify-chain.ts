// Whether a chain of certificates leads to an authority that we trust, judged as Go's Certificate.Verify does with the options of
// kube-apiserver: for client authentication, at a given time, over intermediates that the client showed.
import type { Certificate } from '#base/pki/certificate.ts';
import { constraintsAllow } from '#base/pki/name-constraints.ts';
import { policiesAllow } from '#base/pki/policies.ts';
import { isSignedBy } from '#base/pki/signature.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyUsage = '2.5.29.37.0';

/** How many candidates for an issuer are looked at before it is enough; Go has the same limit. */
const maxCandidates = 100;

export interface ChainQuestion {
  readonly leaf: Certificate;
  readonly intermediates: readonly Certificate[];
  readonly roots: readonly Certificate[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function isTrustedClient(question: ChainQuestion): boolean {
  const { leaf, roots } = question;
  if (!isUsable(leaf, [], question.now)) return false;
  const chains = roots.some(({ raw }) => raw.equals(leaf.raw)) ? [[leaf]] : chainsFrom([leaf], question, { left: maxCandidates });
  return chains.some((chain) => policiesAllow(chain) && usagesAllow(chain) && constraintsAllow(chain));
}

type Chain = readonly Certificate[];

/** All ways up from the last certificate of a chain, roots before intermediates. */
function chainsFrom(chain: Chain, question: ChainQuestion, budget: { left: number }): Chain[] {
  const found: Chain[] = [];
  const child = chain[chain.length - 1] as Certificate;
  const tryIssuer = (issuer: Certificate, isRoot: boolean) => {
    if (--budget.left < 0 || isIn(chain, issuer) || !maySign(issuer) || !isSigned(child, issuer)) return;
    if (!isUsable(issuer, chain, question.now) || !(isRoot || issuer.basicConstraints?.isAuthority)) return;
    if (isRoot) found.push([...chain, issuer]);
    else found.push(...chainsFrom([...chain, issuer], question, budget));
  };
  for (const root of possibleIssuers(child, question.roots)) tryIssuer(root, true);
  for (const intermediate of possibleIssuers(child, question.intermediates)) tryIssuer(intermediate, false);
  return found;
}

/** By name; those whose key identifier fits first, those with another one last. Each certificate once. */
function possibleIssuers({ rawIssuer, authorityKeyId }: Certificate, candidates: readonly Certificate[]): Certificate[] {
  const rank = ({ subjectKeyId }: Certificate) => {
    if (subjectKeyId.equals(authorityKeyId)) return 0;
    return subjectKeyId.length === 0 || authorityKeyId.length === 0 ? 1 : 2;
  };
  const named = candidates.filter(({ rawSubject }) => rawSubject.equals(rawIssuer));
  const once = new Map(named.toReversed().map((candidate) => [candidate.fingerprint, candidate]));
  return [...once.values()].toReversed().sort((one, other) => rank(one) - rank(other));
}

/** The same subject, key and alternative names: authorities that sign each other would make endless chains. */
function isIn(chain: Chain, { rawSubject, rawPublicKey, rawAlternativeNames }: Certificate): boolean {
  return chain.some(
    (certificate) =>
      certificate.rawSubject.equals(rawSubject) &&
      certificate.rawPublicKey.equals(rawPublicKey) &&
      (certificate.rawAlternativeNames?.toString('hex') ?? '') === (rawAlternativeNames?.toString('hex') ?? ''),
  );
}

/** Authorities of the time before extensions say nothing about themselves. */
function maySign({ version, basicConstraints, maySignCertificates }: Certificate): boolean {
  const isAuthority = basicConstraints === undefined ? version !== 3 : basicConstraints.isAuthority;
  return isAuthority && maySignCertificates !== false;
}

function isSigned({ signed }: Certificate, { publicKey }: Certificate): boolean {
  return publicKey !== undefined && isSignedBy(signed, publicKey, { allowSha1: false });
}

/** `below`: the chain to which it is added. */
function isUsable({ hasUnknownCritical, notBefore, notAfter, basicConstraints }: Certificate, below: Chain, now: number): boolean {
  const longest = basicConstraints?.maxPathLength;
  return !hasUnknownCritical && now >= notBefore && now <= notAfter && (longest === undefined || below.length - 1 <= longest);
}

/** Every certificate that lists usages must list ours: an authority for servers makes no clients. */
function usagesAllow(chain: Chain): boolean {
  return chain.every(({ extendedUsages }) => extendedUsages.length === 0 || extendedUsages.includes(anyUsage) || extendedUsages.includes(clientAuth));
}
