// What this server says about itself, and the heartbeat by which others know that it lives.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ApiServer } from '#app/api-server.ts';
import type { Certificates } from '#app/certificates/certificates.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { renewIdentity, type ServerFacts } from '#controllers/bootstrap/server-objects.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

const renewEveryMs = 10_000;

interface FactSources {
  readonly catalog: ResourceCatalog;
  readonly certificates: Certificates;
  readonly clock: Clock;
}

export function serverFacts({ authentication }: ServerOptions, { catalog, certificates, clock }: FactSources): ServerFacts {
  const { requestHeader } = authentication;
  return {
    clientCa: String(certificates.clientCa ?? ''),
    requestHeader: { ...requestHeader, clientCa: textOf(requestHeader.clientCaFile) },
    // The aggregator's own group is served by itself and has no APIService.
    groupVersions: catalog
      .groups()
      .filter(({ name }) => name !== 'apiregistration.k8s.io')
      .flatMap(({ name, versions }) =>
        versions.map((version) => {
          const priority = catalog.priorityOf(name, version);
          return { group: name, version, groupPriority: priority.group, versionPriority: priority.version };
        }),
      ),
    identity: serverIdentity(),
    instance: randomUUID(),
    hostname: hostname(),
    now: () => clock.now(),
  };
}

/** With the authorities that count now. */
export function liveFacts(facts: ServerFacts, { clientCa, requestHeaderCa }: Pick<LiveCertificates, 'clientCa' | 'requestHeaderCa'>): ServerFacts {
  return { ...facts, clientCa: clientCa.value.pem, requestHeader: { ...facts.requestHeader, clientCa: requestHeaderCa?.value.pem ?? '' } };
}

/** The same for every start on this machine, and what the original calls itself on it: servers of one machine renew one lease. */
export function serverIdentity(): string {
  const hash = createHash('sha256');
  for (const part of [hostname(), 'kube-apiserver']) hash.update(Buffer.from([part.length >> 8, part.length & 0xff])).update(part);
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`;
}

function textOf(file: string): string {
  return file !== '' && existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

export function keepIdentity(api: ApiServer, facts: ServerFacts, log: Log, signal: AbortSignal): void {
  const timer = setInterval(() => {
    renewIdentity(api.client, facts).catch((error: unknown) => log.warn('the identity lease was not renewed', { err: String(error) }));
  }, renewEveryMs);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
