// Certificates for tests over TLS: an authority, a server and clients.
import { randomBytes } from 'node:crypto';
import { keepSecret } from './secrets.ts';
import { generateEcKey, type Issuer, makeCertificate, privateKeyPem, publicKeyOf, type Subject } from '#base/x509.ts';

export interface TestPair {
  readonly cert: string;
  readonly key: string;
}

export interface IssueOptions {
  readonly usage: 'server' | 'client' | 'authority';
  readonly names?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

export class TestAuthority {
  readonly cert: string;
  readonly issuer: Issuer;

  constructor(commonName = 'test-ca') {
    const privateKey = generateEcKey();
    this.issuer = { subject: { commonName }, privateKey };
    this.cert = this.#make(this.issuer.subject, publicKeyOf(privateKey), { usage: 'authority' });
  }

  issue(subject: Subject, options: IssueOptions): TestPair {
    const key = generateEcKey();
    const pair = { cert: this.#make(subject, publicKeyOf(key), options), key: privateKeyPem(key) };
    keepSecret(pair.key);
    return pair;
  }

  /** A certificate for the key and name of another authority. */
  issueFor({ issuer }: TestAuthority, options: IssueOptions): string {
    return this.#make(issuer.subject, publicKeyOf(issuer.privateKey), options);
  }

  #make(subject: Subject, publicKey: ReturnType<typeof publicKeyOf>, { usage, names, notBefore, notAfter }: IssueOptions): string {
    const validity = { notBefore: notBefore ?? new Date(Date.now() - 60_000), notAfter: notAfter ?? new Date(Date.now() + 3_600_000) };
    return makeCertificate({ subject, publicKey, serial: randomBytes(8), usage, ...(names && { names }), ...validity }, this.issuer);
  }
}
