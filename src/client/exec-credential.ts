// Credentials from a program that the user configured (client.authentication.k8s.io), kept until they expire or are refused.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '#base/clock.ts';
import type { Identity, IdentitySource } from '#client/identity.ts';
import type { KubeconfigCluster, KubeconfigExec } from '#client/kubeconfig.ts';

export interface ExecOptions {
  readonly exec: KubeconfigExec;
  /** Told to the program when it wants to know. */
  readonly cluster: KubeconfigCluster;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const run = promisify(execFile);

export function execIdentity(options: ExecOptions): IdentitySource {
  const { exec, clock } = options;
  if (!versions.includes(exec.apiVersion)) throw new Error(`exec plugin: ${exec.apiVersion} is not one of ${versions.join(', ')}`);
  if (exec.interactiveMode === 'Always') throw new Error(`exec plugin ${exec.command}: it needs a terminal (interactiveMode Always)`);
  let known: Promise<Known> | undefined;
  return {
    async current() {
      known ??= runPlugin(options);
      try {
        const { identity, expires } = await known;
        if (expires > clock.now().getTime()) return identity;
      } catch (error) {
        known = undefined;
        throw error;
      }
      known = runPlugin(options);
      return (await known).identity;
    },
    refused() {
      known = undefined;
    },
  };
}

interface Known {
  readonly identity: Identity;
  readonly expires: number;
}

interface ExecCredential {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: {
    readonly expirationTimestamp?: string;
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
  };
}

async function runPlugin({ exec, cluster, env }: ExecOptions): Promise<Known> {
  const own = Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value]));
  const output = await outputOf(exec, { ...env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(infoFor(exec, cluster)) });
  const { apiVersion, kind, status } = JSON.parse(output) as ExecCredential;
  if (kind !== 'ExecCredential' || apiVersion !== exec.apiVersion) throw new Error(`exec plugin ${exec.command} answered with ${apiVersion} ${kind}`);
  if (status?.token === undefined && status?.clientCertificateData === undefined) throw new Error(`exec plugin ${exec.command} gave no credentials`);
  if ((status.clientCertificateData === undefined) !== (status.clientKeyData === undefined)) {
    throw new Error(`exec plugin ${exec.command} gave only one of clientCertificateData and clientKeyData`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  const identity = { ...(token !== undefined && { token }), ...(cert !== undefined && key !== undefined && { cert, key }) };
  return { identity, expires: expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp) };
}

async function outputOf({ command, args, installHint }: KubeconfigExec, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  try {
    return (await run(command, [...(args ?? [])], { env: { ...env }, timeout: 60_000, maxBuffer: 1024 * 1024 })).stdout;
  } catch (error) {
    const hint = (error as NodeJS.ErrnoException).code === 'ENOENT' && installHint ? `\n${installHint}` : '';
    throw new Error(`exec plugin ${command} failed: ${error instanceof Error ? error.message : String(error)}${hint}`, { cause: error });
  }
}

function infoFor(exec: KubeconfigExec, cluster: KubeconfigCluster): object {
  const { extensions = [], ...rest } = cluster;
  const config = extensions.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension;
  const spec = { interactive: false, ...(exec.provideClusterInfo && { cluster: { ...rest, ...(config !== undefined && { config }) } }) };
  return { kind: 'ExecCredential', apiVersion: exec.apiVersion, spec };
}
