// Nodes in the order in which pods are offered to them: one of each zone in turn, so that a search that stops early has seen every zone.
import type { StoredNode } from '#scheduler/cluster/node-info.ts';

export class NodeOrder {
  readonly #byZone = new Map<string, Set<string>>();
  readonly #zoneOf = new Map<string, string>();
  #names: readonly string[] | undefined;

  add(node: StoredNode): void {
    const { name = '' } = node.metadata;
    const zone = zoneOf(node);
    if (this.#zoneOf.get(name) === zone) return;
    this.remove(name);
    const names = this.#byZone.get(zone) ?? new Set();
    this.#byZone.set(zone, names.add(name));
    this.#zoneOf.set(name, zone);
    this.#names = undefined;
  }

  remove(name: string): void {
    const zone = this.#zoneOf.get(name);
    if (zone === undefined) return;
    const names = this.#byZone.get(zone);
    names?.delete(name);
    if (names?.size === 0) this.#byZone.delete(zone);
    this.#zoneOf.delete(name);
    this.#names = undefined;
  }

  get names(): readonly string[] {
    return (this.#names ??= inTurn([...this.#byZone.values()].map((names) => [...names])));
  }
}

function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const names: string[] = [];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let index = 0; index < longest; index++) {
    for (const list of lists) names.push(...list.slice(index, index + 1));
  }
  return names;
}

function zoneOf({ metadata: { labels = {} } }: StoredNode): string {
  const zone = labels['topology.kubernetes.io/zone'] ?? labels['failure-domain.beta.kubernetes.io/zone'] ?? '';
  const region = labels['topology.kubernetes.io/region'] ?? labels['failure-domain.beta.kubernetes.io/region'] ?? '';
  return `${region}:${zone}`;
}
