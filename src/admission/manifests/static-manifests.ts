// Static manifests of one plugin: a directory that is read at the start, and again when it changes. One that became bad changes nothing.
import { join } from 'node:path';
import { type ManifestFolder, type Manifests, readManifests } from '#admission/manifests/manifest-objects.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Refreshable, Refreshed } from '#base/live-value.ts';

/** What one plugin is told by its manifests. */
export class StaticManifests implements Refreshable {
  readonly plugin: string;
  readonly #folder: ManifestFolder;
  #current: Manifests;
  /** Of the files as they were last read, good or bad. */
  #lastRead: string;

  constructor(plugin: string, folder: ManifestFolder) {
    this.plugin = plugin;
    this.#folder = folder;
    this.#current = readManifests(folder);
    this.#lastRead = this.#current.hash;
  }

  get objects(): readonly KubernetesObject[] {
    return this.#current.objects;
  }

  get hash(): string {
    return this.#current.hash;
  }

  get files(): readonly string[] {
    return [join(this.#folder.dir, '*')];
  }

  async refresh(): Promise<Refreshed> {
    try {
      const next = readManifests(this.#folder);
      if (next.hash === this.#lastRead) return { outcome: 'same' };
      this.#lastRead = next.hash;
      this.#current = next;
      return { outcome: 'changed' };
    } catch (problem) {
      this.#lastRead = '<unreadable>';
      return { outcome: 'refused', problem };
    }
  }
}
