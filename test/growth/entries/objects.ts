// Objects with many parts: what is done for each part (rules, owners of fields, patches, roles, rows) must not look at all the others again.
import type { KubernetesObject } from '#api/object.ts';
import { missingPermissions } from '#auth/authorization/rule-cover.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { applyObject, updateManagedFields } from '#patch/apply/field-manager.ts';
import { applyJsonPatch } from '#patch/json-patch.ts';
import { applyMergePatch } from '#patch/merge-patch.ts';
import { applyStrategicMergePatch } from '#patch/strategic-merge-patch.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { tableOf } from '#resource/table.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { encodeJsonBytes } from '#schema/json/encode-bytes.ts';
import { encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { dropRepeatedOwners } from '#verbs/owner-references.ts';
import { contextWith, oursOfCreation, oursOfUpdate } from '../../support/rule-cases.ts';
import type { GrowthEntry } from '../growth-entry.ts';

type Parts = <T>(of: (index: number) => T) => T[];
type Make = (parts: Parts) => object;

/** About what one part takes in JSON, and how many parts a body may hold. */
const partBytes = 30;
const mostParts = 33_000;

function entry(name: string, prepare: (parts: Parts) => () => unknown): GrowthEntry {
  const partsIn =
    (bytes: number): Parts =>
    (of) =>
      Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => of(index));
  return { name, covers: [], maxBytes: mostParts * partBytes, prepare: (bytes) => prepare(partsIn(bytes)) };
}

function definitionOf(kind: string): ResourceDefinition {
  const found = builtinResources.find((definition) => definition.kind === kind);
  if (found === undefined) throw new Error(`there is no kind ${kind}`);
  return found;
}

const byIndex = <T>(parts: Parts, key: (index: number) => string, value: T): Record<string, T> => Object.fromEntries(parts((i) => [key(i), value]));

/** What is owned and encoded by its shape alone is measured for one of each shape. */
const shapes = ['labels', 'finalizers', 'owners', 'keys', 'containers', 'variables', 'equal variables', 'ports'];

/** Everything a write does with an object: decode, fill in, judge, track, encode. */
function written(kind: string, what: string, make: Make): GrowthEntry[] {
  const definition = definitionOf(kind);
  const apiVersion = definition.group === '' ? definition.version : `${definition.group}/${definition.version}`;
  const objectOf = (parts: Parts) => ({ kind, apiVersion, ...make(parts) }) as unknown as KubernetesObject;
  const decoded = (parts: Parts): KubernetesObject => {
    const { object } = decodeValue(definition.schema, objectOf(parts));
    applyDefaults(definition, object);
    return object;
  };
  const request = { schema: definition.schema, manager: 'm', subresource: '', apiVersion, now: new Date(0), resetFields: [] };
  const judged = [
    entry(`${kind} with ${what}: rules of creation`, (parts) => {
      const object = objectOf(parts);
      return () => oursOfCreation(definition, object);
    }),
    entry(`${kind} with ${what}: rules of a change`, (parts) => {
      const object = objectOf(parts);
      return () => oursOfUpdate(definition, object, {});
    }),
    entry(`${kind} with ${what}: warnings`, (parts) => {
      const object = decoded(parts);
      return () => definition.strategy.warnOnCreate?.(object, contextWith());
    }),
  ];
  if (!shapes.includes(what)) return judged;
  return [
    ...judged,
    entry(`${kind} with ${what}: owner of what is created`, (parts) => {
      const object = decoded(parts);
      return () => updateManagedFields({ ...request, live: undefined, object });
    }),
    entry(`${kind} with ${what}: applied over what is there`, (parts) => {
      const live = updateManagedFields({ ...request, live: undefined, object: decoded(parts) });
      return () => applyObject({ ...request, manager: 'other', live, applied: objectOf(parts), force: true });
    }),
    entry(`${kind} with ${what}: encoded`, (parts) => {
      const object = decoded(parts);
      return () => [encodeJsonBytes(definition.schema, object), encodeProtobuf(definition.schema, object)];
    }),
  ];
}

const metadata = { name: 'x' };
const container = { name: 'c', image: 'i' };
const pod = (what: string, spec: (parts: Parts) => object) =>
  written('Pod', what, (parts) => ({ metadata, spec: { containers: [container], ...spec(parts) } }));
const inContainer = (what: string, more: (parts: Parts) => object) => pod(what, (parts) => ({ containers: [{ ...container, ...more(parts) }] }));
const configMap = (what: string, more: (parts: Parts) => object) => written('ConfigMap', what, (parts) => ({ metadata: { ...metadata, ...more(parts) } }));
const service = (what: string, spec: (parts: Parts) => object) => written('Service', what, (parts) => ({ metadata, spec: spec(parts) }));
const owner = (uid: number, more: object = {}) => ({ apiVersion: 'v1', kind: 'Pod', name: `a${uid}`, uid: `u${uid}`, ...more });

const ofKinds = [
  ...configMap('labels', (parts) => ({ labels: byIndex(parts, (i) => `k${i}`, 'v') })),
  ...configMap('annotations', (parts) => ({ annotations: byIndex(parts, (i) => `k${i}`, 'v') })),
  ...configMap('finalizers', (parts) => ({ finalizers: parts((i) => `example.com/f${i}`) })),
  ...configMap('owners', (parts) => ({ ownerReferences: parts((i) => owner(i)) })),
  ...configMap('controllers', (parts) => ({ ownerReferences: parts((i) => owner(i, { controller: true })) })),
  ...written('ConfigMap', 'keys', (parts) => ({ metadata, data: byIndex(parts, (i) => `k${i}`, 'v') })),
  ...written('Secret', 'keys', (parts) => ({ metadata, data: byIndex(parts, (i) => `k${i}`, 'QUJD') })),
  ...pod('containers', (parts) => ({ containers: parts((i) => ({ name: `c${i}`, image: 'i' })) })),
  ...pod('init containers', (parts) => ({ initContainers: parts((i) => ({ name: `i${i}`, image: 'i' })) })),
  ...pod('volumes', (parts) => ({ volumes: parts((i) => ({ name: `v${i}`, emptyDir: {} })) })),
  ...pod('projected sources', (parts) => ({ volumes: [{ name: 'v', projected: { sources: parts((i) => ({ secret: { name: `s${i}` } })) } }] })),
  ...pod('downward items', (parts) => ({
    volumes: [{ name: 'v', downwardAPI: { items: parts((i) => ({ path: `p${i}`, fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } })) } }],
  })),
  ...pod('tolerations', (parts) => ({ tolerations: parts((i) => ({ key: `k${i}`, operator: 'Exists' })) })),
  ...pod('host aliases', (parts) => ({ hostAliases: parts((i) => ({ ip: `10.0.${i >> 8}.${i & 255}`, hostnames: ['h'] })) })),
  ...pod('pull secrets', (parts) => ({ imagePullSecrets: parts((i) => ({ name: `s${i}` })) })),
  ...pod('spread constraints', (parts) => ({
    topologySpreadConstraints: parts((i) => ({ maxSkew: 1, topologyKey: `k${i}`, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} })),
  })),
  ...pod('a node selector', (parts) => ({ nodeSelector: byIndex(parts, (i) => `k${i}`, 'v') })),
  ...pod('gates', (parts) => ({ schedulingGates: parts((i) => ({ name: `g${i}` })) })),
  ...inContainer('variables', (parts) => ({ env: parts((i) => ({ name: `E${i}`, value: 'v' })) })),
  ...inContainer('equal variables', (parts) => ({ env: parts(() => ({ name: 'E', value: 'v' })) })),
  ...inContainer('ports', (parts) => ({ ports: parts((i) => ({ containerPort: (i % 60_000) + 1, hostPort: (i % 60_000) + 1, name: `p${i}` })) })),
  ...inContainer('mounts', (parts) => ({ volumeMounts: parts((i) => ({ name: `v${i}`, mountPath: `/v${i}` })) })),
  ...inContainer('resources', (parts) => ({ resources: { limits: byIndex(parts, (i) => `example.com/r${i}`, '1') } })),
  ...service('ports', (parts) => ({ ports: parts((i) => ({ port: (i % 60_000) + 1, name: `p${i}` })) })),
  ...service('external addresses', (parts) => ({ ports: [{ port: 80 }], externalIPs: parts((i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`) })),
  ...written('LimitRange', 'amounts', (parts) => ({
    metadata,
    spec: { limits: [{ type: 'Container', max: byIndex(parts, (i) => `example.com/r${i}`, '5'), min: byIndex(parts, (i) => `example.com/r${i}`, '2') }] },
  })),
  ...written('LimitRange', 'limits', (parts) => ({ metadata, spec: { limits: parts(() => ({ type: 'Pod', max: { cpu: '9e-4999' } })) } })),
  ...written('ResourceQuota', 'limits', (parts) => ({ metadata, spec: { hard: byIndex(parts, (i) => `count/r${i}.example.com`, '1') } })),
  ...written('Role', 'rules', (parts) => ({ metadata, rules: parts((i) => ({ verbs: ['get'], apiGroups: [''], resources: [`r${i}`] })) })),
  ...written('NetworkPolicy', 'exceptions', (parts) => ({
    metadata,
    spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: parts((i) => `10.1.${i >> 8}.${i & 255}/32`) } }] }] },
  })),
  ...written('Deployment', 'selector requirements', (parts) => ({
    metadata,
    spec: {
      selector: { matchLabels: { a: 'b' }, matchExpressions: parts((i) => ({ key: `k${i}`, operator: 'DoesNotExist' })) },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
    },
  })),
  ...written('Job', 'exit codes', (parts) => ({
    metadata,
    spec: {
      podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: parts((i) => i + 1) } }] },
      template: { spec: { restartPolicy: 'Never', containers: [container] } },
    },
  })),
  ...written('CertificateSigningRequest', 'usages', (parts) => ({
    metadata,
    spec: { request: 'AAAA', signerName: 'a.example.com/b', usages: parts(() => 'digital signature') },
  })),
  ...written('EndpointSlice', 'endpoints', (parts) => ({
    metadata,
    addressType: 'IPv4',
    endpoints: parts((i) => ({ addresses: [`10.1.${(i >> 8) & 255}.${i & 255}`] })),
    ports: [],
  })),
];

const podSchema = definitionOf('Pod').schema;
const jsonPatch = (parts: readonly object[]) => Buffer.from(JSON.stringify(parts));
/** Every operation at the front of a list has to move what is behind it: bounded by the operations a patch may have. */
const operations = <T>(list: readonly T[]): readonly T[] => list.slice(0, 1000);

const patched: GrowthEntry[] = [
  entry('a merge patch of many members', (parts) => {
    const live = { data: byIndex(parts, (i) => `k${i}`, 'v') };
    const patch = { data: byIndex(parts, (i) => `n${i}`, 'v') };
    return () => applyMergePatch(live, patch);
  }),
  entry('a strategic patch of many containers', (parts) => {
    const live = { spec: { containers: parts((i) => ({ name: `c${i}` })) } };
    const patch = { spec: { containers: parts((i) => ({ name: `c${i * 2}`, image: 'n' })) } };
    return () => applyStrategicMergePatch(podSchema, live, patch);
  }),
  entry('a strategic patch that deletes many containers', (parts) => {
    const live = { spec: { containers: parts((i) => ({ name: `c${i}` })) } };
    const patch = { spec: { containers: parts((i) => ({ name: `c${i}`, $patch: 'delete' })) } };
    return () => applyStrategicMergePatch(podSchema, live, patch);
  }),
  entry('a strategic patch with a long order', (parts) => {
    const live = { spec: { containers: parts((i) => ({ name: `c${i}` })) } };
    const patch = { spec: { '$setElementOrder/containers': parts((i) => ({ name: `c${i}` })), containers: [{ name: 'c0', image: 'n' }] } };
    return () => applyStrategicMergePatch(podSchema, live, patch);
  }),
  entry('a JSON patch of many operations', (parts) => {
    const patch = jsonPatch(parts((i) => ({ op: 'add', path: `/data/k${i}`, value: 'v' })).slice(0, 10_000));
    return () => applyJsonPatch({ data: {} }, patch);
  }),
  entry('a JSON patch at the front of a long list', (parts) => {
    const patch = jsonPatch([{ op: 'add', path: '/x', value: parts((i) => i) }, ...operations(parts(() => ({ op: 'add', path: '/x/0', value: 1 })))]);
    return () => applyJsonPatch({}, patch);
  }),
];

const checked: GrowthEntry[] = [
  entry('owner references that are all the same', (parts) => {
    const references = parts(() => owner(1));
    return () => dropRepeatedOwners({ warn: () => {} }, { metadata: { ownerReferences: [...references] } }, 'sent');
  }),
  entry('owner references of one owner', (parts) => {
    const references = parts((i) => ({ ...owner(1), name: `n${i}` }));
    return () => dropRepeatedOwners({ warn: () => {} }, { metadata: { ownerReferences: [...references] } }, 'sent');
  }),
  entry('rules that nobody holds', (parts) => {
    const wanted = parts((i) => ({ verbs: ['get'], apiGroups: [''], resources: [`r${i}`] }));
    return () => missingPermissions([{ verbs: ['list'], apiGroups: ['*'], resources: ['*'] }], wanted);
  }),
  entry('one rule that is a product', (parts) => {
    const [verbs, apiGroups, resources] = [parts((i) => `v${i}`), parts((i) => `g${i}`), parts((i) => `r${i}`)];
    return () => missingPermissions([{ verbs: ['*'], apiGroups: ['x'], resources: ['*'] }], [{ verbs, apiGroups, resources }]);
  }),
  entry('rules that are compared with as many', (parts) => {
    const rules = parts((i) => ({ verbs: ['get'], apiGroups: [''], resources: [`r${i}`] }));
    return () => missingPermissions(rules.slice(0, 100), rules);
  }),
  entry('managed fields of many managers, brought up to date', (parts) => {
    const definition = definitionOf('ConfigMap');
    const managedFields = parts((i) => ({
      manager: `m${i}`,
      operation: 'Update' as const,
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
    }));
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x', managedFields }, data: byIndex(parts, (i) => `k${i}`, 'v') };
    const request = { schema: definition.schema, manager: 'm', subresource: '', apiVersion: 'v1', now: new Date(0), resetFields: [] };
    return () => updateManagedFields({ ...request, live: undefined, object: object as unknown as KubernetesObject });
  }),
  entry('a table of many rows', (parts) => {
    const definition = definitionOf('Pod');
    const items = parts((i) => decodeValue(definition.schema, { metadata: { name: `p${i}` }, spec: { containers: [container] } }).object);
    const rows = items.map((stored) => ({ stored, shown: () => stored }));
    return () => tableOf(rows, {}, { definition, apiVersion: 'v1', includeObject: 'Metadata', now: new Date(0) });
  }),
];

export const objectEntries: readonly GrowthEntry[] = [...ofKinds, ...patched, ...checked];
