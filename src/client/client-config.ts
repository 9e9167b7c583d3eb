// Everything a client has to know of a server and of itself, from a kubeconfig or from the files of a pod.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { execIdentity } from '#client/exec-credential.ts';
import { fixedIdentity, type Identity, type IdentitySource, tokenFileIdentity } from '#client/identity.ts';
import type { HttpsTransportOptions } from '#client/https-transport.ts';
import type { Impersonation } from '#client/interceptors.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from '#client/kubeconfig.ts';

export interface ClientConfig {
  readonly transport: HttpsTransportOptions;
  /** Where to look when no namespace is named. */
  readonly namespace: string;
  readonly impersonate?: Impersonation;
}

export interface ConfigSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** `context`: another one than the current. */
export function configOf(kubeconfig: Kubeconfig, { env, clock }: ConfigSurroundings, context = kubeconfig.currentContext): ClientConfig {
  const chosen = kubeconfig.contexts.get(context);
  if (chosen === undefined) throw new Error(context === '' ? 'the kubeconfig has no current context' : `the kubeconfig has no context "${context}"`);
  const cluster = kubeconfig.clusters.get(chosen.cluster);
  if (cluster?.server === undefined) throw new Error(`the kubeconfig has no server for the cluster "${chosen.cluster}"`);
  const user = kubeconfig.users.get(chosen.user) ?? {};
  refuseUnsupported(cluster, user);
  const impersonate = impersonationOf(user);
  return {
    transport: { ...clusterOptions(cluster, cluster.server), identity: identityOf(user, cluster, { env, clock }) },
    namespace: chosen.namespace || 'default',
    ...(impersonate && { impersonate }),
  };
}

/** A silent detour around a proxy, or around a login, would be worse than no connection. */
function refuseUnsupported(cluster: KubeconfigCluster, user: KubeconfigUser): void {
  if (cluster['proxy-url']) throw new Error('proxy-url is not supported');
  if (user['auth-provider']) throw new Error(`the auth-provider "${user['auth-provider'].name}" is not supported: use an exec plugin`);
}

function clusterOptions(cluster: KubeconfigCluster, server: string): HttpsTransportOptions {
  const ca = inlineOrFile(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const serverName = cluster['tls-server-name'];
  const insecureSkipTlsVerify = cluster['insecure-skip-tls-verify'] === true;
  if (insecureSkipTlsVerify && ca !== undefined) throw new Error('a certificate authority with insecure-skip-tls-verify says two things at once');
  return { server, insecureSkipTlsVerify, ...(ca !== undefined && { ca }), ...(serverName && { serverName }) };
}

function identityOf(user: KubeconfigUser, cluster: KubeconfigCluster, { env, clock }: ConfigSurroundings): IdentitySource {
  const own = ownIdentity(user);
  if (user.tokenFile) return tokenFileIdentity(user.tokenFile, clock, own);
  // What is written down wins over what a program would say.
  if (user.exec === undefined || own.token !== undefined || own.cert !== undefined) return fixedIdentity(own);
  return execIdentity({ exec: user.exec, cluster, env, clock });
}

function ownIdentity(user: KubeconfigUser): Identity {
  const cert = inlineOrFile(user['client-certificate-data'], user['client-certificate']);
  const key = inlineOrFile(user['client-key-data'], user['client-key']);
  if ((cert === undefined) !== (key === undefined)) throw new Error('a client certificate needs its key, and a key its certificate');
  return {
    ...(cert !== undefined && key !== undefined && { cert, key }),
    ...(user.token && { token: user.token }),
    ...(user.username && { basic: { username: user.username, password: user.password ?? '' } }),
  };
}

function impersonationOf(user: KubeconfigUser): Impersonation | undefined {
  const { as, 'as-uid': uid, 'as-groups': groups, 'as-user-extra': extra } = user;
  if (!as) {
    if (uid || groups?.length || extra) throw new Error('as-uid, as-groups and as-user-extra need `as`');
    return undefined;
  }
  return { user: as, ...(uid && { uid }), ...(groups && { groups }), ...(extra && { extra }) };
}

function inlineOrFile(inline: string | undefined, file: string | undefined): string | undefined {
  if (inline) return Buffer.from(inline, 'base64').toString();
  return file ? readFileSync(file, 'utf8') : undefined;
}

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** What a pod knows; undefined outside of one. */
export function inClusterConfig({ env, clock }: ConfigSurroundings, folder = serviceAccountFolder): ClientConfig | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const ca = readFileSync(join(folder, 'ca.crt'), 'utf8');
  const identity = tokenFileIdentity(join(folder, 'token'), clock);
  return { transport: { server, ca, identity }, namespace: readFileSync(join(folder, 'namespace'), 'utf8').trim() };
}
