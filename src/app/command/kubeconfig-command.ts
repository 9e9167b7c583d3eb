// `binnacle kubeconfig`: the administrator's, for a file or a pipe.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { adminKubeconfigOf } from '#app/certificates/kubeconfig.ts';
import type { FlagValues } from '#app/flags/flags.ts';

export function kubeconfigCommand(flags: FlagValues): void {
  const file = adminKubeconfig(flags);
  const server = flags.text('server');
  const text = readFileSync(file, 'utf8');
  process.stdout.write(server === '' ? text : withServer(text, server));
}

/** Of the server of --data-dir. */
export function adminKubeconfig(flags: FlagValues): string {
  const dataDir = resolve(flags.text('data-dir') || join(homedir(), '.binnacle'));
  const file = adminKubeconfigOf(dataDir);
  if (!existsSync(file)) throw new Error(`${dataDir} has no kubeconfig yet: a first start of the server there makes it`);
  return file;
}

/** For clients that reach the server by another name than its own machine. */
function withServer(text: string, server: string): string {
  const config = JSON.parse(text) as { clusters: { cluster: { server: string } }[] };
  for (const { cluster } of config.clusters) cluster.server = server;
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
