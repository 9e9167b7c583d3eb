// The kubeconfig of the administrator, with which kubectl works at once.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Certificates } from '#app/certificates/certificates.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { PemPair } from '#app/certificates/pem-folder.ts';

export interface KubeconfigFacts {
  readonly server: string;
  readonly ca: string;
  readonly admin: PemPair;
  /** How the user is called in the file. */
  readonly user?: string;
}

/** JSON is YAML: every client reads it. */
export function kubeconfigText({ server, ca, admin, user = 'admin' }: KubeconfigFacts): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'binnacle', cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: user, user: { 'client-certificate-data': base64(admin.cert), 'client-key-data': base64(admin.key) } }],
    contexts: [{ name: 'binnacle', context: { cluster: 'binnacle', user } }],
    'current-context': 'binnacle',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

export function writeKubeconfig(file: string, facts: KubeconfigFacts): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, kubeconfigText(facts), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function adminKubeconfigOf(dataDir: string): string {
  return join(dataDir, 'admin.kubeconfig');
}

/** Undefined when the certificates were given: then we have none of our own to put in; and without a data directory. */
export function writeAdminKubeconfig({ dataDir }: ServerOptions, { admin, servingCa }: Certificates, server: string): string | undefined {
  if (dataDir === '' || admin === undefined || servingCa === undefined) return undefined;
  const file = adminKubeconfigOf(dataDir);
  writeKubeconfig(file, { server, ca: servingCa, admin });
  return file;
}
