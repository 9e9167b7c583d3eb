import { describe, expect, test } from 'vitest';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { inOriginalForm } from '#resource/original-form.ts';
import { ShapedProtobuf } from '#resource/shaped-protobuf.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { canonical } from '#schema/json/canonical.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { ShapeBudget } from '#schema/shaped/per-shape.ts';
import { randomFrom } from '../../test/support/random.mjs';
import { generateObject } from '../../test/support/sample-object.ts';
import { samplePod } from '../../test/support/sample-pod.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const hubs = inOriginalForm(builtinResources, protobuf).filter(({ form, group }) => form.toStore && !group.match(/^api(extensions|registration)/));
const hubOf = (plural: string, group = '') => hubs.find((hub) => hub.plural === plural && hub.group === group) as ResourceDefinition;

/** Read by a server that has seen nothing yet: by the decoder. */
function decoded(hub: ResourceDefinition, value: Buffer): string | undefined {
  const [fresh] = inOriginalForm([hub], protobuf) as [ResourceDefinition];
  return read(fresh, value);
}

/** Undefined: it cannot be read. */
function read({ form }: ResourceDefinition, value: Buffer): string | undefined {
  const served = form.fromStore?.([{ key: '/registry/x', value }]);
  if (!(served instanceof Promise)) return Buffer.from(served?.[0] ?? []).toString();
  served.catch(() => undefined);
  return undefined;
}

function encoded(hub: ResourceDefinition, object: object): Buffer {
  return writeEnvelope(apiVersionOf(hub), hub.kind, encodeProtobuf(hub.schema, object));
}

function whole(hub: ResourceDefinition, object: object): KubernetesObject {
  const complete = { ...object, kind: hub.kind, apiVersion: apiVersionOf(hub) };
  applyDefaults(hub, complete);
  return canonical(hub.schema, complete) as KubernetesObject;
}

type Random = ReturnType<typeof randomFrom>;

const texts = ['', 'plain', 'two words', '<b>&"\\', 'über', '\u2028', 'x'.repeat(300), '10', 'True', 'ClusterIP'];
const numbers = [0, 1, 127, 128, 70_000, 2_147_483_647];

/** The same with other values in some places; durations, quantities and times stay what they are. */
function varied(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => varied(item, random));
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, varied(member, random)]));
  if (random() > 0.1) return value;
  const pick = <T>(choice: readonly T[]) => choice[Math.floor(random() * choice.length)];
  if (typeof value === 'string') return /^\d|^-?\d+\w*s$/.test(value) ? value : pick(texts);
  return typeof value === 'boolean' ? random() > 0.5 : typeof value === 'number' ? pick(numbers) : value;
}

describe('objects that are alike are stored and read as encoder and decoder do', () => {
  test.each(hubs.map((hub) => [`${hub.plural}.${hub.group}`, hub] as const))('%s', (_, hub) => {
    const random = randomFrom(11);
    const { resourceVersion: _version, selfLink: _link, ...metadata } = (generateObject(hub.schema, { random }) as unknown as KubernetesObject).metadata;
    const base = whole(hub, { ...generateObject(hub.schema, { random: randomFrom(5) }), metadata });
    const [server] = inOriginalForm([hub], protobuf) as [ResourceDefinition];
    for (let i = 0; i < 24; i++) {
      const object = whole(hub, i % 2 === 0 ? { ...base, metadata: { ...base.metadata, name: `n-${i}` } } : (varied(base, random) as object));
      const json = server.form.encode(object);
      const stored = server.form.toStore?.(json, `/registry/${i}`) as Buffer;
      const back = read(server, stored);
      expect(stored.equals(encoded(hub, server.form.parse(json)))).toBe(true);
      expect(back).toBe(decoded(hub, stored));
    }
  });
});

interface PodParts {
  readonly name: string;
  readonly node: string;
  readonly restarts: number;
  readonly ready: boolean;
  readonly time: string;
}

function pod({ name, node, restarts, ready, time }: PodParts): KubernetesObject {
  const { metadata, spec, ...rest } = samplePod(name) as unknown as { metadata: object; spec: object };
  const container = { name: 'web', image: 'web:1', imageID: '', ready, restartCount: restarts, state: { running: { startedAt: time } } };
  const status = { phase: 'Running', podIP: `10.0.0.${restarts}`, containerStatuses: [container] };
  return whole(hubOf('pods'), {
    ...rest,
    metadata: { ...metadata, uid: `uid-of-${name}`, creationTimestamp: time },
    spec: { ...spec, nodeName: node },
    status,
  });
}

const somePod = (i: number) =>
  pod({ name: `web-${'x'.repeat(i % 40)}${i}`, node: `node-${i % 7}`, restarts: i % 3, ready: i % 2 === 0, time: `2026-11-17T12:00:${10 + (i % 50)}Z` });

/** As in a server, with all of its parts in the hand of the test. */
function shapedPods(): { readonly shaped: ShapedProtobuf; readonly decode: (value: Buffer) => Buffer } {
  const { schema, kind, form } = hubOf('pods');
  const parse = (json: Buffer) => form.parse(json);
  const codec = {
    parse,
    toStored: (json: Buffer) => encoded(hubOf('pods'), parse(json)),
    decode: (value: Buffer) => ({ kind, apiVersion: 'v1', ...decodeProtobuf(schema, readEnvelope(value).raw) }),
    applyDefaults: (object: object) => applyDefaults(hubOf('pods'), object),
    encode: (object: object) => form.encode(object as KubernetesObject),
  };
  const decode = (value: Buffer) => codec.encode(whole(hubOf('pods'), codec.decode(value)));
  return { shaped: new ShapedProtobuf({ apiVersion: 'v1', kind, schema, codec }, new ShapeBudget(1 << 20)), decode };
}

test('pods that differ in texts, times, counts and conditions need neither encoder nor decoder once some of them were seen', () => {
  const { shaped, decode } = shapedPods();
  const stored = Array.from({ length: 100 }, (_, i) => encoded(hubOf('pods'), somePod(i)));
  for (const value of stored.slice(0, 60)) if (shaped.read(value) === undefined) shaped.learn(decode(value));
  for (const value of stored) expect(shaped.read(value)?.toString()).toBe(decode(value).toString());
  for (let i = 0; i < 60; i++) shaped.write(decode(stored[i] as Buffer));
  for (const value of stored) expect(shaped.write(decode(value))?.equals(value)).toBe(true);
});

test('whatever happens to the bytes of a pod, it is read as the decoder reads it, or refused as by the decoder', () => {
  const hub = hubOf('pods');
  const [server] = inOriginalForm([hub], protobuf) as [ResourceDefinition];
  const stored = Array.from({ length: 40 }, (_, i) => encoded(hub, somePod(i)));
  for (const value of stored) read(server, value);
  const random = randomFrom(3);
  for (let i = 0; i < 600; i++) {
    const broken = Buffer.from(stored[i % stored.length] as Buffer);
    const at = Math.floor(random() * broken.length);
    broken[at] = random() < 0.5 ? (broken[at] as number) ^ (1 << Math.floor(random() * 8)) : Math.floor(random() * 256);
    const value = random() < 0.1 ? broken.subarray(0, at) : broken;
    expect(read(server, value), `byte ${at}`).toBe(decoded(hub, value));
  }
});

test('a value that defaults look at is never taken from a shape', () => {
  const hub = hubOf('services');
  const [server] = inOriginalForm([hub], protobuf) as [ResourceDefinition];
  const service = (type: string) => encoded(hub, canonical(hub.schema, { metadata: { name: 'a' }, spec: { type, sessionAffinity: 'None' } }) as object);
  for (let i = 0; i < 40; i++) read(server, service(`Type${i}`));
  expect(JSON.parse(read(server, service('ClusterIP')) as string)).toMatchObject({ spec: { type: 'ClusterIP', internalTrafficPolicy: 'Cluster' } });
});
