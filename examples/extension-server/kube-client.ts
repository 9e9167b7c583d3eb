// The little that this server asks of the API server: JSON over HTTPS, with the credentials of a kubeconfig or of a pod.
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';

export interface KubeAnswer<T> {
  readonly code: number;
  readonly body: T;
}

export interface KubeClient {
  ask<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<KubeAnswer<T>>;
}

interface Credentials {
  readonly server: string;
  readonly ca: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Read for each request: tokens of pods are renewed. */
  readonly token: () => string | undefined;
}

const podFolder = '/var/run/secrets/kubernetes.io/serviceaccount';
const timeoutMs = 10_000;

/** Without a file: as a pod of the cluster. */
export function kubeClient(kubeconfig: string | undefined): KubeClient {
  const { server, ca, cert, key, token } = kubeconfig === undefined ? podCredentials() : fileCredentials(kubeconfig);
  const agent = new Agent({ keepAlive: true, ca, cert, key });
  return {
    ask: (method, path, body) =>
      new Promise((succeed, fail) => {
        const bearer = token();
        const headers = { accept: 'application/json', 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) };
        const sent = request(new URL(path, server), { method, agent, headers, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', fail);
          response.once('end', () => succeed({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') as never }));
        });
        sent.once('error', fail);
        sent.end(body && JSON.stringify(body));
      }),
  };
}

function podCredentials(): Credentials {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  if (host === undefined || port === undefined) throw new Error('this is no pod: name a kubeconfig with --kubeconfig');
  const address = host.includes(':') ? `[${host}]` : host;
  return {
    server: `https://${address}:${port}`,
    ca: readFileSync(`${podFolder}/ca.crt`, 'utf8'),
    token: () => readFileSync(`${podFolder}/token`, 'utf8'),
  };
}

interface Kubeconfig {
  readonly 'current-context': string;
  readonly contexts: readonly { readonly name: string; readonly context: { readonly cluster: string; readonly user: string } }[];
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
}

function fileCredentials(file: string): Credentials {
  const config = parse(readFileSync(file, 'utf8')) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users.find(({ name }) => name === context?.user)?.user ?? {};
  if (cluster?.['server'] === undefined) throw new Error(`${file} names no server`);
  const pem = (from: Readonly<Record<string, string>>, field: string): string | undefined => {
    const data = from[`${field}-data`];
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    const named = from[field] && resolve(dirname(file), from[field]);
    return named !== undefined && existsSync(named) ? readFileSync(named, 'utf8') : undefined;
  };
  return {
    server: cluster['server'],
    ca: pem(cluster, 'certificate-authority'),
    cert: pem(user, 'client-certificate'),
    key: pem(user, 'client-key'),
    token: () => user['token'],
  };
}
