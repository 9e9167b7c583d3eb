// The objects in a directory of static manifests, judged as the API would judge them, and by what manifests may not hold: there is no API behind them
// that could resolve a service or find parameters.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { errorsIn } from '#api/field-error.ts';
import { apiVersionOf, parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { goQuote } from '#base/go-text.ts';
import { joined } from '#admission/request-subject.ts';
import { manifestProblem } from '#admission/manifests/manifest-rules.ts';
import { staticSuffix } from '#api/static-suffix.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { StrategyContext } from '#resource/strategy.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

export interface ManifestFolder {
  readonly dir: string;
  /** The kinds that belong there, in their one version. */
  readonly accepted: readonly ResourceDefinition[];
  /** Every kind of the group, to tell those that do not belong there from unknown ones. */
  readonly known: readonly ResourceDefinition[];
  readonly context: StrategyContext;
}

export interface Manifests {
  /** By name. */
  readonly objects: readonly KubernetesObject[];
  /** Of all files; empty without any. */
  readonly hash: string;
}

/** Throws an Error in the words of the original: a server does not start with what it cannot use. */
export function readManifests(folder: ManifestFolder): Manifests {
  const hash = createHash('sha256');
  const seen = new Map<string, string>();
  const objects: KubernetesObject[] = [];
  let isEmpty = true;
  for (const { file, text } of filesIn(folder.dir)) {
    isEmpty = false;
    hash.update(text).update('\0');
    try {
      for (const document of documentsIn(text)) objects.push(...accepted(document, file, folder, seen));
    } catch (error) {
      throw new Error(`error loading ${file}: ${(error as Error).message}`, { cause: error });
    }
  }
  refuseUnboundBindings(objects);
  objects.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  return { objects, hash: isEmpty ? '' : `sha256:${hash.digest('hex')}` };
}

function filesIn(dir: string): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && ['.yaml', '.yml', '.json'].includes(extname(entry.name).toLowerCase()))
    .map(({ name }) => join(dir, name))
    .toSorted()
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => text !== '');
}

function documentsIn(text: string): readonly string[] {
  return text
    .split(/^---[^\n]*\n?/m)
    .map((document) => document.trim())
    .filter((document) => document !== '');
}

interface Typed {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly items?: readonly unknown[];
}

function accepted(document: string | object, file: string, folder: ManifestFolder, seen: Map<string, string>): readonly KubernetesObject[] {
  const value = (typeof document === 'string' ? parseYaml(document) : document) as Typed;
  const { kind = '', apiVersion = '' } = value ?? {};
  if (kind === '') throw new Error(`Object 'Kind' is missing in '${shown(document)}'`);
  if (apiVersion === '') throw new Error(`Object 'apiVersion' is missing in '${shown(document)}'`);
  if (apiVersion === 'v1' && kind === 'List') return (value.items ?? []).flatMap((item) => accepted(item as object, file, folder, seen));
  const definition = folder.accepted.find((each) => apiVersionOf(each) === apiVersion && (each.kind === kind || `${each.kind}List` === kind));
  if (definition === undefined) throw unsupported(folder, apiVersion, kind);
  const items = definition.kind === kind ? [value] : (value.items ?? []).map((item) => ({ kind: definition.kind, apiVersion, ...(item as object) }));
  return items.map((item) => judged(item, definition, file, folder, seen));
}

function shown(document: string | object): string {
  return typeof document === 'string' ? document : JSON.stringify(document);
}

function unsupported({ known }: ManifestFolder, apiVersion: string, kind: string): Error {
  const isKnown = known.some((each) => apiVersionOf(each) === apiVersion && (each.kind === kind || `${each.kind}List` === kind));
  if (isKnown) return new Error(`unsupported resource type *${parseApiVersion(apiVersion)?.version}.${kind}`);
  return new Error(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`);
}

function judged(value: object, definition: ResourceDefinition, file: string, { context }: ManifestFolder, seen: Map<string, string>): KubernetesObject {
  const { object, problems } = decodeValue(definition.schema, value);
  if (problems.length > 0) throw new Error(`strict decoding error: ${problems.join(', ')}`);
  applyDefaults(definition, object);
  const { name = '' } = object.metadata;
  const errors = errorsIn((found) => {
    const validating = definition.strategy.validate?.(object, found, context);
    // Nobody else waits while files are read: what was put off is done at once.
    return found.empty ? validating : undefined;
  });
  if (errors instanceof Promise) throw new Error(`${definition.kind} cannot be judged without an API`);
  if (errors.length > 0) throw new Error(`${definition.kind} ${goQuote(name)}: ${joined(errors.map(String))}`);
  refuseName(name, `${definition.kind} ${name}`, file, seen);
  const problem = manifestProblem(object, file);
  if (problem !== undefined) throw new Error(problem);
  return object;
}

function refuseName(name: string, key: string, file: string, seen: Map<string, string>): void {
  if (name === '') throw new Error(`resource in file ${goQuote(file)} must have a name`);
  if (!name.endsWith(staticSuffix)) throw new Error(`${goQuote(name)} in file ${goQuote(file)} must have a name ending with ${goQuote(staticSuffix)}`);
  const before = seen.get(key);
  if (before !== undefined) throw new Error(`duplicate name ${goQuote(name)} found in file ${goQuote(file)} (previously seen in ${goQuote(before)})`);
  seen.set(key, file);
}

function refuseUnboundBindings(objects: readonly KubernetesObject[]): void {
  const policies = new Set(objects.filter(({ kind }) => kind?.endsWith('Policy')).map(({ metadata }) => metadata.name));
  for (const { kind, metadata, ...rest } of objects) {
    if (!kind?.endsWith('PolicyBinding')) continue;
    const { policyName = '' } = rest['spec'] as { readonly policyName?: string };
    if (policies.has(policyName)) continue;
    throw new Error(`binding ${goQuote(metadata.name ?? '')} references policy ${goQuote(policyName)} which does not exist in the manifest directory`);
  }
}
