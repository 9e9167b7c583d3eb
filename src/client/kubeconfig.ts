// Kubeconfig files as data: parsed, their relative paths made absolute, and several of them merged as kubectl does it.
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';

export interface KubeconfigCluster {
  readonly server?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'proxy-url'?: string;
  readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[];
}

export interface KubeconfigExec {
  readonly apiVersion: string;
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
}

export interface KubeconfigUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
  readonly exec?: KubeconfigExec;
  readonly 'auth-provider'?: { readonly name: string };
}

export interface KubeconfigContext {
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
}

/** Named things by name. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
}

export interface KubeconfigPlaces {
  /** A file that somebody named: it alone counts, and it must be there. */
  readonly file?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
}

/** A named file, or those of $KUBECONFIG, or ~/.kube/config. Of those that nobody named some may be missing. */
export function readKubeconfig({ file, env, homeDir }: KubeconfigPlaces): Kubeconfig {
  if (file !== undefined) return readOne(file);
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const paths = listed.length > 0 ? listed : [join(homeDir, '.kube', 'config')];
  return mergeKubeconfigs(paths.flatMap((path) => readIfThere(path) ?? []));
}

/** Whoever names something first wins, with all of it: nothing of a later one of the same name is taken over. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = <T>(pick: (config: Kubeconfig) => ReadonlyMap<string, T>) => new Map([...configs].reverse().flatMap((config) => [...pick(config)]));
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    clusters: first(({ clusters }) => clusters),
    users: first(({ users }) => users),
    contexts: first(({ contexts }) => contexts),
  };
}

export function parseKubeconfig(text: string, folder: string): Kubeconfig {
  const document = (parse(text) ?? {}) as RawKubeconfig;
  const absolute = (path: string) => resolve(folder, path);
  return {
    currentContext: document['current-context'] ?? '',
    clusters: named(document.clusters, ({ cluster }) => withPaths(cluster ?? {}, ['certificate-authority'], absolute)),
    users: named(document.users, ({ user }) => userWithPaths(user ?? {}, absolute)),
    contexts: named(document.contexts, ({ context }) => ({ cluster: '', user: '', ...context })),
  };
}

interface Entry {
  readonly name: string;
  readonly cluster?: KubeconfigCluster;
  readonly user?: KubeconfigUser;
  readonly context?: KubeconfigContext;
}

interface RawKubeconfig {
  readonly 'current-context'?: string;
  readonly clusters?: readonly Entry[] | null;
  readonly users?: readonly Entry[] | null;
  readonly contexts?: readonly Entry[] | null;
}

function named<T>(entries: readonly Entry[] | null | undefined, read: (entry: Entry) => T): ReadonlyMap<string, T> {
  return new Map((entries ?? []).map((entry) => [entry.name, read(entry)]));
}

function userWithPaths(user: KubeconfigUser, absolute: (path: string) => string): KubeconfigUser {
  const own = withPaths(user, ['client-certificate', 'client-key', 'tokenFile'], absolute);
  // A bare name is looked for in $PATH, anything with a slash beside the file.
  if (own.exec === undefined || !own.exec.command.includes('/')) return own;
  return { ...own, exec: { ...own.exec, command: absolute(own.exec.command) } };
}

function withPaths<T extends object>(values: T, names: readonly (keyof T & string)[], absolute: (path: string) => string): T {
  const paths = names.flatMap((name) => {
    const path = values[name];
    return typeof path === 'string' && path !== '' ? [[name, absolute(path)]] : [];
  });
  return { ...values, ...Object.fromEntries(paths) };
}

function readOne(path: string): Kubeconfig {
  const text = readFileSync(path, 'utf8');
  try {
    return parseKubeconfig(text, dirname(resolve(path)));
  } catch (error) {
    throw new Error(`${path} is no kubeconfig: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function readIfThere(path: string): Kubeconfig | undefined {
  try {
    return readOne(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
