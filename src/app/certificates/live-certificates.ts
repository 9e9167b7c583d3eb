// Certificates that are read again when their files change: our own, those for other names, and the authorities of others.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { certificateFiles, type Certificates, ensureCertificates } from '#app/certificates/certificates.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { PemPair } from '#app/certificates/pem-folder.ts';
import type { Clock } from '#base/clock.ts';
import { LiveValue } from '#base/live-value.ts';
import type { Log } from '#base/log.ts';
import { type Certificate, parseCertificates } from '#base/pki/certificate.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { NamedCertificate } from '#server/front/listen.ts';

export interface TrustedAuthorities {
  readonly pem: string;
  readonly certificates: readonly Certificate[];
}

export interface LiveCertificates {
  readonly serving: LiveValue<PemPair>;
  readonly clientCa: LiveValue<TrustedAuthorities>;
  /** Of front proxies. */
  readonly requestHeaderCa: LiveValue<TrustedAuthorities> | undefined;
  readonly named: readonly LiveValue<NamedCertificate>[];
  /** By which extension servers know this one: --proxy-client-cert-file and its key. */
  readonly proxyClient: LiveValue<PemPair> | undefined;
}

/** After `ensureCertificates`: all files must be there. */
export async function openCertificates(options: ServerOptions): Promise<LiveCertificates> {
  const { cert, key, clientCa } = certificateFiles(options);
  const proxies = options.authentication.requestHeader.clientCaFile;
  return {
    serving: await LiveValue.open([cert, key], pairOf),
    clientCa: await LiveValue.open([clientCa], authoritiesOf),
    requestHeaderCa: proxies === '' ? undefined : await LiveValue.open([proxies], authoritiesOf),
    named: await Promise.all(options.flags.list('tls-sni-cert-key').map(openNamed)),
    proxyClient: await openProxyClient(options),
  };
}

async function openProxyClient({ flags }: ServerOptions): Promise<LiveValue<PemPair> | undefined> {
  const files = [flags.text('proxy-client-cert-file'), flags.text('proxy-client-key-file')];
  return files.includes('') ? undefined : LiveValue.open(files, pairOf);
}

export function allOf({ serving, clientCa, requestHeaderCa, named, proxyClient }: LiveCertificates): readonly LiveValue<unknown>[] {
  return [serving, clientCa, ...(requestHeaderCa === undefined ? [] : [requestHeaderCa]), ...named, ...(proxyClient === undefined ? [] : [proxyClient])];
}

/** Both are replaced one after the other: for a moment they do not belong together. */
function pairOf([cert = '', key = '']: readonly string[]): PemPair {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) throw new FlagError('tls: private key does not match public key');
  return { cert, key };
}

function authoritiesOf([pem = '']: readonly string[]): TrustedAuthorities {
  const certificates = parseCertificates(pem);
  if (certificates.length === 0) throw new FlagError('data does not contain any valid RSA or ECDSA certificates');
  return { pem, certificates };
}

/** `cert,key` or `cert,key:name,name`; without names those of the certificate count. */
function openNamed(text: string): Promise<LiveValue<NamedCertificate>> {
  const [files = '', names] = text.split(':');
  return LiveValue.open(files.split(','), (texts) => {
    const pair = pairOf(texts);
    return { ...pair, names: names === undefined ? namesOf(pair.cert) : names.split(',') };
  });
}

function namesOf(pem: string): string[] {
  const names = new X509Certificate(pem).subjectAltName ?? '';
  return names.split(', ').flatMap((name) => (name.startsWith('DNS:') ? name.slice(4) : []));
}

export interface RenewalParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onRenewed: (certificates: Certificates) => void;
}

const lookEveryMs = 3_600_000;

/** Certificates that we made are made again before they end. The files are followed, so nothing else is to do about them. */
export async function renewCertificates(options: ServerOptions, first: Certificates, parts: RenewalParts): Promise<void> {
  const { clock, timers, log, signal, onRenewed } = parts;
  if (first.servingCa === undefined && first.admin === undefined) return;
  for (let known = first; ; ) {
    await pause(timers, lookEveryMs, signal);
    if (signal.aborted) return;
    try {
      const next = await ensureCertificates(options, hostname(), clock.now());
      if (next.serving.cert === known.serving.cert && next.admin?.cert === known.admin?.cert && next.clientCa === known.clientCa) continue;
      log.info('certificates were renewed');
      onRenewed((known = next));
    } catch (error) {
      log.error('certificates could not be renewed', error);
    }
  }
}
