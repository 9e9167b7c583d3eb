// What walks with a real kubectl have in common: kubectl under a kubeconfig, checks that are counted, and waiting for what comes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Ran {
  readonly code: number;
  /** What it said, mistakes included. */
  readonly out: string;
  readonly ms: number;
}

export interface KubectlPlace {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** For what kubectl keeps of discovery. */
  readonly dir: string;
}

export type Kubectl = (words: string, input?: string) => Promise<Ran>;

export function kubectlIn({ kubectl, kubeconfig, dir }: KubectlPlace): Kubectl {
  return async (words, input) => {
    const began = performance.now();
    const child = spawn(kubectl, ['--kubeconfig', kubeconfig, '--cache-dir', join(dir, 'cache'), ...words.split(' ')], { stdio: ['pipe', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? 1, out: Buffer.concat(chunks).toString(), ms: performance.now() - began };
  };
}

export function kubeconfigOf(server: string, ca: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

/** The last answer, when none is as wanted in twenty seconds. */
export async function until(ask: () => Promise<Ran>, isWanted: (ran: Ran) => boolean): Promise<Ran> {
  const gaveUp = performance.now() + 20_000;
  for (;;) {
    const ran = await ask();
    if (isWanted(ran) || performance.now() > gaveUp) return ran;
  }
}

export class Checks {
  #passed = 0;
  #failed = 0;

  check(what: string, isTrue: boolean, seen = ''): void {
    if (isTrue) this.#passed += 1;
    else this.#failed += 1;
    console.log(`${isTrue ? '✔' : '✘'} ${what}${isTrue ? '' : `\n    ${seen.trim().slice(0, 600)}`}`);
  }

  /** Says how it went, and sets the exit code. */
  end(): void {
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    process.exitCode = this.#failed === 0 && this.#passed > 0 ? 0 : 1;
  }
}
