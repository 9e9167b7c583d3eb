// Objects that use most fields of their kind are taken, by ours and, with REFERENCE_SERVER, by a real kube-apiserver.
import { describe, expect, test } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { AnySchema } from '#schema/build.ts';
import { fullObjects } from '../../test/support/full-objects.ts';
import { referenceFor, refusalOfCreation } from '../../test/support/reference-answers.ts';
import { shownRefusal } from '../../test/support/refusals.ts';
import { oursOfCreation } from '../../test/support/rule-cases.ts';

/** Core kinds have tables of their own; of certificates the parts that matter are bytes, which are in their tables. */
const elsewhere = new Set(['', 'certificates.k8s.io', 'discovery.k8s.io', 'events.k8s.io']);
/** Parts with tables of their own. */
const apart = /\.(?:PodTemplateSpec|PersistentVolumeSpec|PersistentVolumeClaim|ObjectMeta|JSONSchemaProps)$/;
const gates = {
  CoordinatedLeaderElection: 'true',
  TopologyAwareWorkloadScheduling: 'true',
  WorkloadAwarePreemption: 'true',
  DRAWorkloadResourceClaims: 'true',
};

const hubs = builtinResources.filter(
  (resource) => resource.storage !== undefined && resource.storage.version === resource.version && !elsewhere.has(resource.group),
);

describe.each(hubs.map((resource) => [`${resource.plural}.${resource.group}`, resource] as const))('%s', (id, resource) => {
  const body = { metadata: { name: 'full' }, ...fullObjects[id], apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind };

  test('an object with most fields is taken', async () => {
    expect(oursOfCreation(resource, body, { gates })).toEqual(shownRefusal(undefined));
    const reference = resource.enabled && resource.featureGate === undefined ? referenceFor({}) : undefined;
    if (reference) expect(await refusalOfCreation(reference, resource, body)).toEqual(shownRefusal(undefined));
  });

  test('the object uses at least seven of ten fields that there are', () => {
    const all = fieldsOf(resource);
    const used = new Set<string>();
    collectUsed(resource.schema, body, used);
    const missing = all.filter((field) => !used.has(field));
    expect(missing.length / Math.max(1, all.length), `not used: ${missing.join(' ')}`).toBeLessThanOrEqual(0.3);
  });
});

/** Fields of all structs of a kind, but those of metadata and status. */
function fieldsOf({ schema }: ResourceDefinition): string[] {
  const { status: _, ...fields } = schema.fields;
  const found = new Set<string>();
  for (const [name, field] of Object.entries(fields)) {
    if (name !== 'metadata') found.add(`${schema.name}.${name}`);
    collectFields(field.schema, found);
  }
  return [...found];
}

function collectFields(schema: AnySchema, found: Set<string>): void {
  if (schema.is === 'list') return collectFields(schema.item, found);
  if (schema.is === 'map') return collectFields(schema.value, found);
  if (schema.is !== 'struct' || apart.test(schema.name)) return;
  for (const [name, field] of Object.entries(schema.fields)) {
    const id = `${schema.name}.${name}`;
    if (found.has(id)) continue;
    found.add(id);
    collectFields(field.schema, found);
  }
}

function collectUsed(schema: AnySchema, value: unknown, used: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (schema.is === 'list') for (const item of value as readonly unknown[]) collectUsed(schema.item, item, used);
  if (schema.is === 'map') for (const item of Object.values(value)) collectUsed(schema.value, item, used);
  if (schema.is !== 'struct') return;
  for (const [name, field] of Object.entries(schema.fields)) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined) continue;
    used.add(`${schema.name}.${name}`);
    collectUsed(field.schema, member, used);
  }
}
