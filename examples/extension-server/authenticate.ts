// Who asks. An extension server leaves that to the API server: the aggregator shows a certificate of the front-proxy authority and says in headers
// for whom it asks; everybody else shows a certificate of the cluster's authority or a token, which a TokenReview judges.
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { KubeClient } from './kube-client.ts';

export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What the ConfigMap kube-system/extension-apiserver-authentication says. */
export interface Trust {
  readonly clientCa: string;
  readonly proxyCa: string;
  /** Common names of front proxies; all, when there are none. */
  readonly allowedNames: readonly string[];
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraPrefixes: readonly string[];
}

const configMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const anonymous: User = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} };

export async function readTrust(client: KubeClient): Promise<Trust> {
  const { code, body } = await client.ask<{ readonly data?: Readonly<Record<string, string>>; readonly message?: string }>('GET', configMap);
  if (code !== 200) throw new Error(`${configMap} cannot be read: ${body.message}`);
  const data = body.data ?? {};
  const list = (key: string) => JSON.parse(data[key] ?? '[]') as string[];
  return {
    clientCa: data['client-ca-file'] ?? '',
    proxyCa: data['requestheader-client-ca-file'] ?? '',
    allowedNames: list('requestheader-allowed-names'),
    userHeaders: list('requestheader-username-headers'),
    uidHeaders: list('requestheader-uid-headers'),
    groupHeaders: list('requestheader-group-headers'),
    extraPrefixes: list('requestheader-extra-headers-prefix'),
  };
}

/** Undefined for a wrong token: that is nobody, not anybody. */
export async function authenticate(request: IncomingMessage, trust: Trust, client: KubeClient): Promise<User | undefined> {
  const shown = (request.socket as TLSSocket).getPeerX509Certificate?.();
  if (shown && isFrontProxy(shown, trust)) return userOfHeaders(request, trust) ?? anonymous;
  if (shown && isIssuedBy(shown, trust.clientCa)) return userOfCertificate(shown);
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  return scheme === 'Bearer' && token ? userOfToken(token, client) : anonymous;
}

/** Headers are believed from a certificate of the right authority with the right name, and from nobody else. */
function isFrontProxy(shown: X509Certificate, { proxyCa, allowedNames }: Trust): boolean {
  if (!isIssuedBy(shown, proxyCa)) return false;
  return allowedNames.length === 0 || allowedNames.includes(subjectOf(shown, 'CN')[0] ?? '');
}

function isIssuedBy(shown: X509Certificate, authorities: string): boolean {
  const now = Date.now();
  if (now < Date.parse(shown.validFrom) || now > Date.parse(shown.validTo)) return false;
  const usages = shown.keyUsage as unknown as string[] | undefined;
  // id-kp-clientAuth
  if (usages !== undefined && !usages.includes('1.3.6.1.5.5.7.3.2')) return false;
  const blocks = authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks
    .map((block) => new X509Certificate(block))
    .some((authority) => authority.ca && shown.checkIssued(authority) && shown.verify(authority.publicKey));
}

function subjectOf({ subject }: X509Certificate, part: 'CN' | 'O'): string[] {
  return subject.split('\n').flatMap((line) => (line.startsWith(`${part}=`) ? [line.slice(part.length + 1)] : []));
}

function userOfCertificate(shown: X509Certificate): User {
  return { name: subjectOf(shown, 'CN')[0] ?? '', uid: '', groups: [...subjectOf(shown, 'O'), 'system:authenticated'], extra: {} };
}

function userOfHeaders(request: IncomingMessage, { userHeaders, uidHeaders, groupHeaders, extraPrefixes }: Trust): User | undefined {
  const values = (names: readonly string[]) => names.flatMap((name) => request.headersDistinct[name.toLowerCase()] ?? []);
  const [name] = values(userHeaders);
  if (!name) return undefined;
  const extra: Record<string, readonly string[]> = {};
  for (const [header, found] of Object.entries(request.headersDistinct)) {
    const prefix = extraPrefixes.find((each) => header.startsWith(each.toLowerCase()));
    if (prefix !== undefined) extra[decodeURIComponent(header.slice(prefix.length))] = found ?? [];
  }
  const groups = values(groupHeaders);
  // As every API server does: whoever is somebody belongs to this group.
  const known = name === anonymous.name || groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'];
  return { name, uid: values(uidHeaders)[0] ?? '', groups: known, extra };
}

interface TokenReview {
  readonly status?: {
    readonly authenticated?: boolean;
    readonly user?: { readonly username: string; readonly uid?: string; readonly groups?: string[]; readonly extra?: Record<string, string[]> };
  };
}

async function userOfToken(token: string, client: KubeClient): Promise<User | undefined> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  const { body } = await client.ask<TokenReview>('POST', '/apis/authentication.k8s.io/v1/tokenreviews', review);
  const { authenticated, user } = body.status ?? {};
  return authenticated && user ? { name: user.username, uid: user.uid ?? '', groups: user.groups ?? [], extra: user.extra ?? {} } : undefined;
}
