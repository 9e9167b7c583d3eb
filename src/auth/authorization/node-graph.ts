// What is connected with which node: pods that run there, what those pods mention, the volumes behind their claims.
// Everything a pod mentions points straight at the node, counted, so that the many users of one popular secret cost nothing.

/** `kind/namespace/name`; nodes are `node//name`. */
export type Vertex = string;

export function vertex(kind: string, namespace: string, name: string): Vertex {
  return `${kind}/${namespace}/${name}`;
}

export interface Edge {
  readonly from: Vertex;
  readonly to: Vertex;
}

export class NodeGraph {
  readonly #edges = new Map<Vertex, Map<Vertex, number>>();
  /** What each object contributes, to take it back. */
  readonly #contributions = new Map<Vertex, readonly Edge[]>();

  /** Replaces all that this object said before. */
  put(source: Vertex, edges: readonly Edge[]): void {
    this.remove(source);
    if (edges.length === 0) return;
    this.#contributions.set(source, edges);
    for (const { from, to } of edges) {
      const targets = this.#edges.get(from) ?? new Map<Vertex, number>();
      this.#edges.set(from, targets.set(to, (targets.get(to) ?? 0) + 1));
    }
  }

  remove(source: Vertex): void {
    for (const { from, to } of this.#contributions.get(source) ?? []) {
      const targets = this.#edges.get(from);
      const count = (targets?.get(to) ?? 0) - 1;
      if (count > 0) targets?.set(to, count);
      else targets?.delete(to);
      if (targets?.size === 0) this.#edges.delete(from);
    }
    this.#contributions.delete(source);
  }

  reaches(from: Vertex, node: string): boolean {
    const wanted = vertex('node', '', node);
    const pending = [from];
    const seen = new Set(pending);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const targets = this.#edges.get(next);
      if (targets?.has(wanted)) return true;
      for (const target of targets?.keys() ?? []) {
        if (target.startsWith('node/') || seen.has(target)) continue;
        seen.add(target);
        pending.push(target);
      }
    }
    return false;
  }
}
