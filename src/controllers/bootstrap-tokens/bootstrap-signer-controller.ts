// Signs the kubeconfig of the config map cluster-info with every bootstrap token that may, so that a new node can trust what it reads there
// before it trusts anything else.
import { createHmac } from 'node:crypto';
import type { KubernetesObject } from '#api/object.ts';
import { type SourceItem, splitKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import type { BootstrapTokenOptions } from '#controllers/bootstrap-tokens/token-cleaner-controller.ts';
import { isBootstrapToken, signingToken, type StoredSecret, tokenNamespace } from '#controllers/bootstrap-tokens/token-secrets.ts';
import { type Controller, controller, keysOf, unlessOvertaken } from '#controllers/controller.ts';
import type { ConfigMap } from '#kinds/core/v1/config-map.ts';

type StoredMap = ConfigMap & KubernetesObject;

const clusterInfo = 'kube-public/cluster-info';
const signaturePrefix = 'jws-kubeconfig-';

export function bootstrapSigner(options: BootstrapTokenOptions): Controller {
  const { client, clock, sources } = options;
  const secrets = sources.of<StoredSecret>(kinds.secrets);
  const maps = sources.of<StoredMap>(kinds.configMaps);
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const map = maps.get(namespace, name)?.object;
    const content = map?.data?.['kubeconfig'];
    if (map === undefined || content === undefined) return;
    const now = clock.now().getTime();
    const tokens = secrets.list(tokenNamespace).flatMap(({ object }) => (isBootstrapToken(object) ? (signingToken(object, now) ?? []) : []));
    const others = Object.entries(map.data ?? {}).filter(([entry]) => !entry.startsWith(signaturePrefix));
    const signatures = tokens.map(({ id, secret }) => [`${signaturePrefix}${id}`, detachedSignature(content, id, secret)] as const);
    const data = Object.fromEntries([...others, ...signatures]);
    if (sameEntries(data, map.data ?? {})) return;
    await unlessOvertaken(client.update(kinds.configMaps, { ...map, data } as StoredMap));
  };
  const ofTokens = ({ namespace, object }: SourceItem<StoredSecret>) => (namespace === tokenNamespace && isBootstrapToken(object) ? [clusterInfo] : []);
  const ofMap = ({ namespace, name }: SourceItem<StoredMap>) => (`${namespace}/${name}` === clusterInfo ? [clusterInfo] : []);
  return controller({ ...options, name: 'bootstrap-signer-controller', sources: [keysOf(secrets, ofTokens), keysOf(maps, ofMap)], reconcile });
}

/** A JWS with the content left out: `header..signature`. */
export function detachedSignature(content: string, id: string, secret: string): string {
  const header = base64Url(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${base64Url(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function sameEntries(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
