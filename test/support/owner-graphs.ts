// Objects that own each other, played against any server: made, given owners, deleted; then told what became of them. The recorder plays them
// against the original with its garbage collector, a test against ours.

/** `kind` and `namespace` are indexes of the tables below; a cluster-scoped kind has no namespace. */
export interface GraphObject {
  readonly kind: number;
  readonly namespace: number;
  readonly owners: readonly Owner[];
  /** Held by a finalizer that nobody takes away. */
  readonly held?: boolean;
}

export interface Owner {
  readonly object: number;
  readonly blocks?: boolean;
  /** What about the reference is wrong. */
  readonly wrong?: 'uid' | 'name' | 'kind' | 'unknown-kind';
}

export type Step = { readonly delete: number; readonly policy: 'Background' | 'Foreground' | 'Orphan' } | { readonly own: number; readonly by: Owner };

export interface OwnerGraph {
  readonly objects: readonly GraphObject[];
  /** Each is played when the one before has had all its effects. */
  readonly steps: readonly Step[];
}

/** Of each object: undefined when it is gone, else its owners by index (-1: none of the graph), the finalizers it has, and whether it is being deleted. */
export type Outcome = readonly (string | null)[];

export interface Answer {
  readonly code: number;
  readonly text: string;
}
export type Ask = (method: string, path: string, body?: object, type?: string) => Promise<Answer>;

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const group = 'graphs.example.com';
export const kinds: readonly Kind[] = [
  { apiVersion: 'v1', kind: 'ConfigMap', path: '/api/v1', plural: 'configmaps', namespaced: true },
  { apiVersion: 'v1', kind: 'Secret', path: '/api/v1', plural: 'secrets', namespaced: true },
  { apiVersion: `${group}/v1`, kind: 'Boat', path: `/apis/${group}/v1`, plural: 'boats', namespaced: true },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', path: '/apis/rbac.authorization.k8s.io/v1', plural: 'clusterroles', namespaced: false },
  { apiVersion: `${group}/v1`, kind: 'Harbor', path: `/apis/${group}/v1`, plural: 'harbors', namespaced: false },
];
const customKinds = kinds.filter(({ apiVersion }) => apiVersion.startsWith(group));
const merge = 'application/merge-patch+json';

export async function defineKinds(ask: Ask): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  for (const { kind, plural, namespaced, path } of customKinds) {
    const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
    const spec = { group, scope: namespaced ? 'Namespaced' : 'Cluster', names, versions: [{ name: 'v1', served: true, storage: true, schema }] };
    await must(
      await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec,
      }),
    );
    while ((await ask('GET', `${path}/${plural}`)).code !== 200) await new Promise(setImmediate);
  }
}

/** Answers reads of single objects from one list of each kind. */
export async function snapshot(ask: Ask): Promise<Ask> {
  const found = new Map<string, Answer>();
  const lists = await Promise.all(kinds.map(async ({ path, plural }) => JSON.parse((await must(await ask('GET', `${path}/${plural}`))).text).items));
  for (const [index, { path, plural }] of kinds.entries()) {
    for (const object of lists[index]) {
      const { namespace, name } = object.metadata;
      const place = namespace === undefined ? path : `${path}/namespaces/${namespace}`;
      found.set(`${place}/${plural}/${name}`, { code: 200, text: JSON.stringify(object) });
    }
  }
  return async (_, path) => found.get(path) ?? { code: 404, text: '' };
}

export class PlayedGraph {
  readonly #ask: Ask;
  readonly #graph: OwnerGraph;
  readonly #name: string;
  readonly #uids: string[] = [];

  constructor(ask: Ask, graph: OwnerGraph, name: string) {
    this.#ask = ask;
    this.#graph = graph;
    this.#name = name;
  }

  async make(): Promise<void> {
    for (const namespace of [0, 1]) {
      const name = this.#namespace(namespace);
      await must(await this.#ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    }
    for (const [index, object] of this.#graph.objects.entries()) {
      const { apiVersion, kind } = kindOf(object);
      const ownerReferences = object.owners.map((owner) => this.#reference(owner));
      const metadata = { name: this.#objectName(index), ownerReferences, ...(object.held && { finalizers: ['example.com/held'] }) };
      const { text } = await must(await this.#ask('POST', this.#collection(object), { apiVersion, kind, metadata }));
      this.#uids.push(JSON.parse(text).metadata.uid);
    }
  }

  /** What is gone already cannot be deleted or owned any more. */
  async play(step: Step): Promise<void> {
    const index = 'own' in step ? step.own : step.delete;
    const path = this.#path(index);
    if ('delete' in step) return void (await this.#ask('DELETE', path, { propagationPolicy: step.policy, kind: 'DeleteOptions', apiVersion: 'v1' }));
    const { code, text } = await this.#ask('GET', path);
    if (code === 404) return;
    const { metadata } = JSON.parse(text);
    const ownerReferences = [...(metadata.ownerReferences ?? []), this.#reference(step.by)];
    await this.#ask('PATCH', path, { metadata: { uid: metadata.uid, ownerReferences } }, merge);
  }

  /** `read`: a snapshot, where there are many graphs. */
  async outcome(read: Ask = this.#ask): Promise<Outcome> {
    return await Promise.all(this.#graph.objects.map(async (_, index) => this.#become(await read('GET', this.#path(index)))));
  }

  #become({ code, text }: Answer): string | null {
    if (code === 404) return null;
    const { ownerReferences = [], finalizers = [], deletionTimestamp } = JSON.parse(text).metadata;
    const owners = ownerReferences.map(
      ({ uid, blockOwnerDeletion }: { uid: string; blockOwnerDeletion?: boolean }) => `${this.#uids.indexOf(uid)}${blockOwnerDeletion ? '!' : ''}`,
    );
    return [owners.sort().join(','), ...[...finalizers].sort(), ...(deletionTimestamp === undefined ? [] : ['deleted'])].join(' ');
  }

  #reference({ object, blocks, wrong }: Owner): object {
    const owner = this.#graph.objects[object] as GraphObject;
    const { apiVersion, kind } = wrong === 'unknown-kind' ? { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' } : kindOf(owner, wrong === 'kind' ? 1 : 0);
    const name = wrong === 'name' ? 'another' : this.#objectName(object);
    const uid = wrong === 'uid' ? `00000000-0000-0000-0000-${String(object).padStart(12, '0')}` : (this.#uids[object] ?? '');
    return { apiVersion, kind, name, uid, ...(blocks && { blockOwnerDeletion: true }) };
  }

  #namespace(index: number): string {
    return `${this.#name}-${index}`;
  }

  /** Names of the cluster are shared by all graphs. */
  #objectName(index: number): string {
    return `${this.#name}-o${index}`;
  }

  #collection(object: GraphObject): string {
    const { path, plural, namespaced } = kindOf(object);
    return namespaced ? `${path}/namespaces/${this.#namespace(object.namespace)}/${plural}` : `${path}/${plural}`;
  }

  #path(index: number): string {
    return `${this.#collection(this.#graph.objects[index] as GraphObject)}/${this.#objectName(index)}`;
  }
}

function kindOf({ kind }: GraphObject, further = 0): Kind {
  return kinds[(kind + further) % kinds.length] as Kind;
}

async function must(answer: Answer): Promise<Answer> {
  if (answer.code >= 300) throw new Error(`${answer.code} ${answer.text}`);
  return answer;
}
