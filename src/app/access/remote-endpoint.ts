// Kubeconfig files that say where a webhook is, and documents of issuers.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Agent } from 'undici';
import { trusting } from '#base/outgoing/authorities.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { RemoteEndpoint } from '#auth/remote-review.ts';

interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly contexts?: readonly { readonly name: string; readonly context: { readonly cluster: string; readonly user?: string } }[];
  readonly clusters?: readonly { readonly name: string; readonly cluster: Readonly<Record<string, string | boolean>> }[];
  readonly users?: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
}

export async function readEndpoint(file: string): Promise<RemoteEndpoint> {
  const config = (await readYamlFile(file)) as Kubeconfig;
  const context = config.contexts?.find(({ name }) => name === config['current-context'])?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user ?? {};
  const url = cluster?.['server'];
  if (typeof url !== 'string') throw new FlagError(`${file}: the current context names no server`);
  const data = (values: Readonly<Record<string, unknown>>, name: string) => inlineOrFile(values, name, dirname(file));
  return {
    url,
    ca: data(cluster ?? {}, 'certificate-authority'),
    cert: data(user, 'client-certificate'),
    key: data(user, 'client-key'),
    token: user['token'] ?? (user['tokenFile'] === undefined ? undefined : readFileSync(resolve(dirname(file), user['tokenFile']), 'utf8').trim()),
    serverName: cluster?.['tls-server-name'] as string | undefined,
    insecure: cluster?.['insecure-skip-tls-verify'] === true,
  };
}

function inlineOrFile(values: Readonly<Record<string, unknown>>, name: string, folder: string): string | undefined {
  const inline = values[`${name}-data`];
  if (typeof inline === 'string') return Buffer.from(inline, 'base64').toString();
  const file = values[name];
  return typeof file === 'string' ? readFileSync(resolve(folder, file), 'utf8') : undefined;
}

/** Also for the other configuration files of access; the parser is loaded only for servers that have one. */
export async function readYamlFile(file: string): Promise<unknown> {
  return parseYamlText(file, readFileSync(file, 'utf8'));
}

/** `file` is for the refusal, which never shows what the file holds: a kubeconfig holds tokens. */
export async function parseYamlText(file: string, text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(text, { prettyErrors: false }) ?? {};
  } catch (error) {
    const { message, pos = [0] } = error as Error & { readonly pos?: readonly number[] };
    throw new FlagError(`${file}, line ${text.slice(0, pos[0]).split('\n').length}: ${message}`);
  }
}

/** `ca` in PEM; the authorities of the system otherwise. */
export function jsonFetcher(ca: string | undefined): (url: string) => Promise<unknown> {
  let dispatcher: Agent | undefined;
  return async (url) => {
    const undici = await import('undici');
    dispatcher ??= new undici.Agent({ connect: trusting(ca) });
    const { statusCode, body } = await undici.request(url, { dispatcher, signal: AbortSignal.timeout(30_000) });
    if (statusCode !== 200) throw new Error(`${url} answered with status code ${statusCode}`);
    return body.json();
  };
}
