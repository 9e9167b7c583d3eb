// Definitions of a test: created, and served when this resolves.
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { objectsOf } from '#testing/manifests.ts';
import type { TestManifests } from '#testing/testing.d.ts';

const definitions: ResourceAddress = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions', namespaced: false };
const kind = 'CustomResourceDefinition';
/** Longer than any definition takes, shorter than the timeout of a test. */
const patienceMs = 10_000;

interface Definition {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[] };
}

/** Objects of other kinds are passed over, as envtest does: a directory of manifests often has both. */
export async function createDefinitions(client: RestClient, manifests: TestManifests): Promise<void> {
  const objects = objectsOf(manifests).filter((object) => object.kind === kind);
  if (objects.length === 0) throw new Error(`crds: there is no ${kind} in it`);
  await Promise.all(objects.map((object) => client.create(definitions, '', object)));
  await established(client, new Set(objects.map(({ metadata }) => metadata.name ?? '')));
}

async function established(client: RestClient, names: ReadonlySet<string>): Promise<void> {
  const waiting = new Set(names);
  const patience = AbortSignal.timeout(patienceMs);
  try {
    for await (const { object } of client.watch<Definition>(definitions, '', {}, patience)) {
      const refused = conditionOf(object, 'NamesAccepted', 'False');
      if (waiting.has(object.metadata.name) && refused !== undefined) throw new Error(`crds: ${object.metadata.name}: ${refused.message}`);
      if (conditionOf(object, 'Established', 'True') !== undefined) waiting.delete(object.metadata.name);
      if (waiting.size === 0) return;
    }
  } catch (problem) {
    if (!patience.aborted) throw problem;
  }
  throw new Error(`crds: not established after ${patienceMs} ms: ${[...waiting].join(', ')}`);
}

function conditionOf({ status }: Definition, type: string, value: string) {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === value);
}
