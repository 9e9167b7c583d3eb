// How often definitions change the OpenAPI documents: apiextensions_openapi_*_regeneration_count.
import type { GroupVersion } from '#api/names.ts';
import { type Metric, Series } from '#base/metrics.ts';

/** A definition whose part of the documents is another one, and the group-versions in which its resource is, or was, served. */
export interface DocumentChange {
  readonly name: string;
  readonly reason: 'add' | 'update' | 'remove';
  readonly groupVersions: readonly GroupVersion[];
}

/** Nothing of a definition beyond what a change tells of it may hang on it: a change may be kept for long. */
export type OnDocumentChanges = (changes: readonly DocumentChange[]) => void;

/** Told of so many changes, it counts them before it is asked. */
const mostUncounted = 100;

export class DocumentMetrics {
  readonly #ofDefinitions = new Series(['crd', 'reason'], () => ({ count: 0 }));
  readonly #ofVersions = new Series(['crd', 'group', 'version', 'reason'], () => ({ count: 0 }));
  /** A start adds all definitions at once, and most are never asked for. */
  #uncounted: (readonly DocumentChange[])[] = [];

  readonly observe: OnDocumentChanges = (changes) => {
    this.#uncounted.push(changes);
    if (this.#uncounted.length > mostUncounted) this.#count();
  };

  metrics(): readonly Metric[] {
    const metric = (version: string, series: Series<{ readonly count: number }>): Metric => ({
      name: `apiextensions_openapi_${version}_regeneration_count`,
      type: 'counter',
      stability: 'ALPHA',
      help: `Changes of the OpenAPI ${version} documents, by the definition that caused them and why`,
      samples: () => {
        this.#count();
        return [...series.entries()].map(({ labels, value }) => ({ labels, value: value.count }));
      },
    });
    return [metric('v2', this.#ofDefinitions), metric('v3', this.#ofVersions)];
  }

  #count(): void {
    for (const changes of this.#uncounted.splice(0)) {
      for (const { name, reason, groupVersions } of changes) {
        this.#ofDefinitions.at(name, reason).count++;
        for (const { group, version } of groupVersions) this.#ofVersions.at(name, group, version, reason).count++;
      }
    }
  }
}
