import { describe, expect, test } from 'vitest';
import {
  AdmissionChain,
  type AdmissionObserver,
  type AdmissionPlugin,
  type AdmissionRequest,
  type AdmissionScope,
  type Operation,
} from '#admission/admission.ts';

function ask(operation: Operation, plural: string, subresource = ''): AdmissionRequest {
  const reinvocation = { needed: false, isSecondPass: false };
  return { operation, definition: definitions[plural] ?? {}, subresource, reinvocation } as unknown as AdmissionRequest;
}

const definitions: Readonly<Record<string, object>> = { pods: { group: '', plural: 'pods' }, nodes: { group: '', plural: 'nodes' } };
const request = ask('CREATE', 'pods');

function noting(asked: string[], name: string, phase: () => Promise<void> | void): AdmissionPlugin {
  const note = () => {
    asked.push(name);
    return phase();
  };
  return { name, mutate: note, validate: note };
}

const atOnce = () => undefined;
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

function refusing(): void {
  throw new Error('refused');
}

describe.each(['mutate', 'validate'] as const)('all plugins are asked to %s', (phase) => {
  test('in their order, also where one takes its time', async () => {
    const asked: string[] = [];
    await new AdmissionChain([noting(asked, 'a', atOnce), noting(asked, 'b', later), noting(asked, 'c', later), noting(asked, 'd', atOnce)])[phase](request);
    expect(asked).toEqual(['a', 'b', 'c', 'd']);
  });

  test('at once when none of them waits', () => {
    const asked: string[] = [];
    expect(new AdmissionChain([noting(asked, 'a', atOnce), { name: 'neither' }, noting(asked, 'b', atOnce)])[phase](request)).toBeUndefined();
    expect(asked).toEqual(['a', 'b']);
  });

  test('until one refuses, at once or after a while', async () => {
    const asked: string[] = [];
    const chain = (first: () => Promise<void> | void) =>
      new AdmissionChain([noting(asked, 'a', first), noting(asked, 'b', refusing), noting(asked, 'c', atOnce)]);
    expect(() => chain(atOnce)[phase](request)).toThrow('refused');
    await expect(chain(later)[phase](request)).rejects.toThrow('refused');
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
  });
});

describe('a plugin that says which requests it matches', () => {
  const isPodCreate = ({ operation, definition, subresource }: AdmissionScope) => operation === 'CREATE' && definition.plural === 'pods' && subresource === '';

  test('is asked about nothing else', () => {
    const asked: string[] = [];
    const chain = new AdmissionChain([{ ...noting(asked, 'choosy', atOnce), matches: isPodCreate }, noting(asked, 'any', atOnce)]);
    for (const one of [ask('CREATE', 'pods'), ask('UPDATE', 'pods'), ask('CREATE', 'pods', 'binding'), ask('CREATE', 'nodes')]) void chain.mutate(one);
    expect(asked).toEqual(['choosy', 'any', 'any', 'any', 'any']);
  });

  test('says so once for each resource, subresource and operation', () => {
    const scopes: string[] = [];
    const matches = ({ operation, definition, subresource }: AdmissionScope) => scopes.push(`${operation} ${definition.plural} ${subresource}`) > 0;
    const chain = new AdmissionChain([{ name: 'counting', matches }]);
    for (let round = 0; round < 3; round++) {
      for (const one of [ask('CREATE', 'pods'), ask('DELETE', 'pods'), ask('CREATE', 'pods', 'binding'), ask('CREATE', 'nodes')]) {
        void chain.mutate(one);
        void chain.validate(one);
      }
    }
    expect(scopes).toEqual(['CREATE pods ', 'DELETE pods ', 'CREATE pods binding', 'CREATE nodes ']);
  });
});

describe('the object of a write', () => {
  const given = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'given' } };
  const other = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'other' } };
  const writing = (): AdmissionRequest => ({ ...ask('CREATE', 'pods'), object: given }) as AdmissionRequest;

  test('is the one that came in when no plugin returns another', async () => {
    expect(new AdmissionChain([{ name: 'a', mutate: atOnce }]).mutate(writing())).toBe(given);
    expect(await new AdmissionChain([{ name: 'a', mutate: later }]).mutate(writing())).toBe(given);
  });

  test.each([
    ['at once', () => other],
    ['after a while', () => Promise.resolve(other)],
  ])('is what a plugin returned %s, for the plugins behind it too', async (_, mutate) => {
    const seen: unknown[] = [];
    const looking: AdmissionPlugin = { name: 'looking', mutate: ({ object }) => void seen.push(object) };
    expect(await new AdmissionChain([looking, { name: 'replacing', mutate }, looking]).mutate(writing())).toBe(other);
    expect(seen).toEqual([given, other]);
  });

  test('is shown to all mutating plugins once more when one asks for it', async () => {
    const seen: unknown[] = [];
    const looking: AdmissionPlugin = { name: 'looking', mutate: ({ object, reinvocation }) => void seen.push([object, reinvocation.isSecondPass]) };
    const asking: AdmissionPlugin = {
      name: 'asking',
      mutate: ({ reinvocation }) => {
        reinvocation.needed = true;
        return other;
      },
    };
    expect(await new AdmissionChain([looking, asking]).mutate(writing())).toBe(other);
    expect(seen).toEqual([
      [given, false],
      [other, true],
    ]);
  });
});

test.each([
  ['at once', atOnce],
  ['later', later],
])('observers hear of every plugin and step, how long it took and how it ended, for plugins that answer %s', async (_, phase) => {
  const heard: unknown[] = [];
  let clock = 0;
  const observer: AdmissionObserver = {
    now: () => clock,
    plugin: (name, step, operation) => (took, isRefused) => heard.push([name, step, operation, took, isRefused]),
    step: (step, operation) => (took, isRefused) => heard.push([step, operation, took, isRefused]),
  };
  const taking = (milliseconds: number) => () => {
    clock += milliseconds;
    return phase();
  };
  const refuse = () => (phase() ?? Promise.resolve()).then(refusing);
  const chain = new AdmissionChain(
    [
      { name: 'a', mutate: taking(3), validate: taking(1) },
      { name: 'b', mutate: taking(4), validate: phase === atOnce ? refusing : refuse },
    ],
    observer,
  );
  await chain.mutate(request);
  await expect((async () => chain.validate(request))()).rejects.toThrow('refused');
  expect(heard).toEqual([
    ['a', 'admit', 'CREATE', 3, false],
    ['b', 'admit', 'CREATE', 4, false],
    ['admit', 'CREATE', 7, false],
    ['a', 'validate', 'CREATE', 1, false],
    ['b', 'validate', 'CREATE', 0, true],
    ['validate', 'CREATE', 1, true],
  ]);
});
