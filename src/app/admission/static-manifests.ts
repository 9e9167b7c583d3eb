// Static manifests of webhooks and policies (gate ManifestBasedAdmissionControlConfig): the directories that the configuration of admission names.
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ManifestFolder } from '#admission/manifests/manifest-objects.ts';
import { StaticManifests } from '#admission/manifests/static-manifests.ts';
import type { Lister, Writer } from '#api/lister.ts';
import { loopbackUser } from '#api/user.ts';
import type { PluginConfigurations } from '#app/admission/admission-config.ts';

import { FlagError } from '#app/flags/flags.ts';
import type { Clock } from '#base/clock.ts';
import { goQuote } from '#base/go-text.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

const gate = 'ManifestBasedAdmissionControlConfig';

const group = 'admissionregistration.k8s.io';
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  MutatingAdmissionPolicy: ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'],
  MutatingAdmissionWebhook: ['mutatingwebhookconfigurations'],
  ValidatingAdmissionPolicy: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'],
  ValidatingAdmissionWebhook: ['validatingwebhookconfigurations'],
};

/** What each plugin accepts, judged as the API judges it, but for names: the ones that it reserves are those of manifests. */
export function manifestFolders({ catalog, clock, lister, writer, gate: isOn }: FolderParts): (plugin: string, dir: string) => ManifestFolder {
  const known = catalog.served().filter((definition) => definition.group === group);
  return (plugin, dir) => {
    const accepted = known.filter(({ version, plural }) => version === 'v1' && kindsOf[plugin]?.includes(plural));
    const context = {
      user: loopbackUser,
      now: clock.now(),
      dryRun: false,
      gate: (name: string) => name !== gate && isOn(name),
      lister,
      writer,
      apiVersion: `${group}/v1`,
    };
    return { dir, accepted, known, context };
  };
}

export interface FolderParts {
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly lister: Lister;
  readonly writer: Writer;
  readonly gate: (name: string) => boolean;
}

export interface AdmissionManifests {
  readonly opened: readonly StaticManifests[];
  /** For a plugin that runs; undefined when it has none. Throws a FlagError for what cannot be used. */
  open(plugin: string): StaticManifests | undefined;
}

export function admissionManifests(
  configurations: PluginConfigurations,
  isOn: (name: string) => boolean,
  folderOf: (plugin: string, dir: string) => ManifestFolder,
): AdmissionManifests {
  const opened: StaticManifests[] = [];
  const open = (plugin: string) => {
    const { staticManifestsDir: dir = '' } = (configurations.get(plugin) ?? {}) as { readonly staticManifestsDir?: string };
    if (dir === '') return undefined;
    const problem = problemOf(dir, isOn);
    if (problem !== undefined)
      throw new FlagError(`failed to apply admission: couldn't init admission plugin ${goQuote(plugin)}: staticManifestsDir: ${problem}`);
    const manifests = load(plugin, folderOf(plugin, dir));
    opened.push(manifests);
    return manifests;
  };
  return { opened, open };
}

function load(plugin: string, folder: ManifestFolder): StaticManifests {
  try {
    return new StaticManifests(plugin, folder);
  } catch (error) {
    const what = plugin.endsWith('Webhook') ? 'webhook' : 'policy';
    const why = `failed to load static ${what} manifests from ${goQuote(folder.dir)}: ${(error as Error).message}`;
    throw new FlagError(`failed to apply admission: failed to initialize admission plugin ${goQuote(plugin)}: ${why}`);
  }
}

function problemOf(dir: string, isOn: (name: string) => boolean): string | undefined {
  if (!isOn(gate)) return `Forbidden: staticManifestsDir requires the ${gate} feature gate to be enabled`;
  const invalid = (why: string) => `Invalid value: ${goQuote(dir)}: ${why}`;
  if (!isAbsolute(dir)) return invalid('must be an absolute file path');
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found === undefined) return invalid(`unable to read: stat ${dir}: no such file or directory`);
  return found.isDirectory() ? undefined : invalid('must be a directory');
}
