import { describe, expect, it } from 'vitest';
import { apiGroups } from '#kinds/api-groups.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { defineResource, type ResourceDefinition } from '#resource/definition.ts';
import { keyOf, prefixOf } from '#resource/keys.ts';
import { parseRuntimeConfig } from '#resource/runtime-config.ts';
import { compareVersions } from '#resource/version-order.ts';
import { rootStruct } from '#schema/build.ts';

function catalogWith(runtimeConfig = '', gate: (name: string) => boolean = () => true): ResourceCatalog {
  return new ResourceCatalog(builtinResources, { enabled: parseRuntimeConfig(runtimeConfig), gate, priorities: apiGroups });
}

function custom(group: string, version: string, storageVersion = version): ResourceDefinition {
  return defineResource({
    group,
    version,
    kind: 'Widget',
    plural: 'widgets',
    singular: 'widget',
    shortNames: ['wd'],
    namespaced: true,
    schema: rootStruct('', () => ({})),
    storage: { version: storageVersion, prefix: `${group}/widgets`, hash: '' },
  });
}

describe('resources that are made when they are asked for', () => {
  function deferred(group: string) {
    const made: string[] = [];
    const make = () => {
      made.push(group);
      return [custom(group, 'v1'), custom(group, 'v2', 'v1')];
    };
    return { made, resources: { group, plural: 'widgets', versions: ['v1', 'v2'], make } };
  }

  it('show their group before that, and are not made for it', () => {
    const catalog = catalogWith();
    const [one, other] = [deferred('one.example.com'), deferred('other.example.com')];
    const before = catalog.revision;
    catalog.addDeferred([one.resources, other.resources]);
    expect(catalog.revision).toBeGreaterThan(before);
    expect(catalog.group('one.example.com')).toEqual({ name: 'one.example.com', versions: ['v2', 'v1'], preferred: 'v2' });
    expect(catalog.find('apps', 'v1', 'deployments')?.kind).toBe('Deployment');
    expect([...one.made, ...other.made]).toEqual([]);
  });

  it.each<[string, (catalog: ResourceCatalog) => unknown]>([
    ['by plural', (catalog) => catalog.find('one.example.com', 'v2', 'widgets')],
    ['by kind', (catalog) => catalog.byKind('one.example.com', 'v2', 'Widget')],
    ['of their group-version', (catalog) => catalog.resourcesOf('one.example.com', 'v2')[0]],
    ['of all versions', (catalog) => catalog.versionsOf('one.example.com', 'widgets')[0]],
  ])('are found %s, made once, without those of other groups', (_, find) => {
    const catalog = catalogWith();
    const [one, other] = [deferred('one.example.com'), deferred('other.example.com')];
    catalog.addDeferred([one.resources, other.resources]);
    const before = catalog.revision;
    expect(find(catalog)).toMatchObject({ version: 'v2', kind: 'Widget' });
    expect(find(catalog)).toBe(find(catalog));
    expect([one.made.length, other.made.length, catalog.revision]).toEqual([1, 0, before]);
  });

  it('are made kind by kind where their plural is asked for', () => {
    const catalog = catalogWith();
    const [one, other] = [deferred('one.example.com'), deferred('one.example.com')];
    catalog.addDeferred([one.resources, { ...other.resources, plural: 'gadgets' }]);
    expect(catalog.find('one.example.com', 'v1', 'widgets')).toBeDefined();
    expect([one.made.length, other.made.length]).toEqual([1, 0]);
  });

  it('are made in turns for those who look at all of them, or at those of a group', async () => {
    const catalog = catalogWith();
    const [one, other] = [deferred('one.example.com'), deferred('other.example.com')];
    catalog.addDeferred([one.resources, other.resources]);
    const before = catalog.revision;
    await catalog.settleInTurns('other.example.com');
    expect([one.made.length, other.made.length]).toEqual([0, 1]);
    await Promise.all([catalog.settleInTurns(), catalog.settleInTurns()]);
    expect([one.made.length, other.made.length, catalog.revision]).toEqual([1, 1, before]);
    expect(catalog.settleInTurns()).toBeUndefined();
  });

  it('stand among all that are served, and go like others', () => {
    const catalog = catalogWith();
    const one = deferred('one.example.com');
    catalog.addDeferred([one.resources]);
    expect(catalog.byName('wd')?.version).toBe('v2');
    expect(catalog.served().filter(({ group }) => group === 'one.example.com').length).toBe(2);
    const other = deferred('other.example.com');
    catalog.addDeferred([other.resources]);
    catalog.remove(custom('other.example.com', 'v1'), custom('other.example.com', 'v2'));
    expect([other.made.length, catalog.group('other.example.com'), catalog.find('other.example.com', 'v1', 'widgets')]).toEqual([1, undefined, undefined]);
  });

  it('do not stand in a group-version that the operator has turned off', () => {
    const catalog = catalogWith('one.example.com/v2=false');
    catalog.addDeferred([deferred('one.example.com').resources]);
    expect(catalog.group('one.example.com')?.versions).toEqual(['v1']);
    expect(catalog.find('one.example.com', 'v2', 'widgets')).toBeUndefined();
  });
});

describe('ResourceCatalog', () => {
  it('finds served resources by plural and by kind', () => {
    const catalog = catalogWith();
    expect(catalog.find('apps', 'v1', 'deployments')?.kind).toBe('Deployment');
    expect(catalog.byKind('apps', 'v1', 'Deployment')?.plural).toBe('deployments');
    expect(catalog.find('apps', 'v1beta1', 'deployments')).toBeUndefined();
  });

  it('serves what is off by default only when asked', () => {
    expect(catalogWith().find('resource.k8s.io', 'v1beta1', 'resourceclaims')).toBeUndefined();
    expect(catalogWith('resource.k8s.io/v1beta1=true').find('resource.k8s.io', 'v1beta1', 'resourceclaims')).toBeDefined();
  });

  it('leaves out what a feature gate closes', () => {
    const closed = catalogWith('api/all=true', (name) => name !== 'ClusterTrustBundle');
    expect(closed.find('certificates.k8s.io', 'v1beta1', 'clustertrustbundles')).toBeUndefined();
    expect(closed.find('certificates.k8s.io', 'v1beta1', 'podcertificaterequests')).toBeDefined();
  });

  it('knows the stored version of a resource even when that version is not served', () => {
    const catalog = catalogWith('resource.k8s.io/v1beta2=true');
    const rules = catalog.find('resource.k8s.io', 'v1beta2', 'devicetaintrules');
    expect(rules && catalog.hubOf(rules).version).toBe('v1alpha3');
    expect(catalog.find('resource.k8s.io', 'v1alpha3', 'devicetaintrules')).toBeUndefined();
  });

  it('stores the events of both groups in one place', () => {
    const catalog = catalogWith();
    const [core, other] = [catalog.find('', 'v1', 'events'), catalog.find('events.k8s.io', 'v1', 'events')];
    expect(other && catalog.hubOf(other)).toBe(core);
    expect(catalog.hubs().filter(({ plural }) => plural === 'events')).toHaveLength(1);
  });

  it('lists groups in the order of discovery with the preferred version first', () => {
    const groups = catalogWith('api/all=true').groups();
    expect(groups.map(({ name }) => name)).toEqual(apiGroups.map(({ name }) => name));
    expect(groups.find(({ name }) => name === 'resource.k8s.io')?.versions).toEqual(['v1', 'v1beta2', 'v1beta1', 'v1alpha3']);
    expect(groups.find(({ name }) => name === 'autoscaling')?.preferred).toBe('v2');
  });

  it('takes custom resources in and lets them go', () => {
    const catalog = catalogWith();
    const before = catalog.revision;
    const definitions = [custom('b.example', 'v1alpha1'), custom('a.example', 'v1'), custom('a.example', 'v2beta1', 'v1')];
    catalog.add(...definitions);
    expect(catalog.revision).toBeGreaterThan(before);
    expect(catalog.groups().slice(-2)).toEqual([
      { name: 'a.example', versions: ['v1', 'v2beta1'], preferred: 'v1' },
      { name: 'b.example', versions: ['v1alpha1'], preferred: 'v1alpha1' },
    ]);
    expect(catalog.versionsOf('a.example', 'widgets').map(({ version }) => version)).toEqual(['v1', 'v2beta1']);
    expect(definitions[2] && catalog.hubOf(definitions[2])).toBe(definitions[1]);
    catalog.remove(...definitions);
    expect(catalog.byKind('a.example', 'v1', 'Widget')).toBeUndefined();
    expect(catalog.groups().at(-1)?.name).not.toBe('b.example');
  });

  it('understands singular and short names', () => {
    const catalog = catalogWith();
    expect(catalog.byName('po')?.plural).toBe('pods');
    expect(catalog.byName('deployment')?.plural).toBe('deployments');
    expect(catalog.byName('events')?.group).toBe('');
    expect(catalog.byName('events', 'events.k8s.io')?.group).toBe('events.k8s.io');
    expect(catalog.byName('nothing')).toBeUndefined();
  });
});

describe('parseRuntimeConfig', () => {
  it('lets the narrower setting win over the broader one', () => {
    const config = parseRuntimeConfig('api/all=false,api/beta=true,apps/v1=true,apps/v1/daemonsets=false,v1=true');
    expect(config('batch', 'v1', 'jobs')).toBe(false);
    expect(config('x', 'v1beta1', 'y')).toBe(true);
    expect(config('apps', 'v1', 'deployments')).toBe(true);
    expect(config('apps', 'v1', 'daemonsets')).toBe(false);
    expect(config('', 'v1', 'pods')).toBe(true);
  });

  it('says nothing about what is not named', () => {
    expect(parseRuntimeConfig('')('apps', 'v1', 'deployments')).toBeUndefined();
  });

  it.each([
    ['api/all=false', 'invalid runtime-config with only api/all=false'],
    ['api/all=maybe', 'invalid value api/all=maybe'],
    ['apps/v1/x/y=true', 'runtime-config invalid key apps/v1/x/y'],
    ['apps/v1/Deployments=true', 'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"'],
    ['nope/v1=true', 'unknown api groups nope/v1'],
    ['apps/v7=true', 'group version apps/v7 that has not been registered'],
  ])('refuses %s', (text, message) => {
    expect(() => parseRuntimeConfig(text, builtinResources)).toThrow(message);
  });
});

describe('keys', () => {
  it('follow the layout of the original', () => {
    const catalog = catalogWith();
    const [services, nodes, pods] = ['services', 'nodes', 'pods'].map((plural) => catalog.find('', 'v1', plural) as ResourceDefinition);
    expect(services && keyOf(services, 'default', 'web')).toBe('/registry/services/specs/default/web');
    expect(nodes && keyOf(nodes, '', 'n1')).toBe('/registry/minions/n1');
    expect(pods && prefixOf(pods)).toBe('/registry/pods/');
    expect(pods && prefixOf(pods, 'default')).toBe('/registry/pods/default/');
  });

  it('exist only for what is stored', () => {
    const bindings = catalogWith().find('', 'v1', 'bindings') as ResourceDefinition;
    expect(() => prefixOf(bindings)).toThrow('bindings of /v1 are not stored');
  });

  it('takes many changes as one, and forgets group-versions that nothing is left of', () => {
    const catalog = catalogWith();
    const [old, next] = [custom('a.example', 'v1'), custom('a.example', 'v2')];
    catalog.add(old);
    const before = catalog.revision;
    catalog.change({ remove: [old], add: [next, custom('b.example', 'v1')] });
    expect(catalog.revision).toBe(before + 1);
    expect([catalog.group('a.example')?.versions, catalog.group('b.example')?.versions]).toEqual([['v2'], ['v1']]);
    expect([catalog.resourcesOf('a.example', 'v1'), catalog.resourcesOf('a.example', 'v2')]).toEqual([[], [next]]);
    expect(catalog.served()).toContain(next);
    expect(catalog.served()).not.toContain(old);
    catalog.remove(next);
    expect([catalog.group('a.example'), catalog.byName('widgets', 'a.example')]).toEqual([undefined, undefined]);
  });
});

describe('compareVersions', () => {
  it('puts stable before beta before alpha before foreign names', () => {
    const sorted = ['foo1', 'v1alpha1', 'v10', 'v1', 'v2beta1', 'v12alpha1', 'v2', 'foo10', 'v1beta2'].sort((a, b) => compareVersions(b, a));
    expect(sorted).toEqual(['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v12alpha1', 'v1alpha1', 'foo1', 'foo10']);
  });
});
