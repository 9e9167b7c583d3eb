import { describe, expect, test } from 'vitest';
import { AdmissionChain, type AdmissionPlugin, type AdmissionRequest, type Occasion, type Operation } from '#admission/admission.ts';

function ask(operation: Operation, plural: string, subresource = ''): AdmissionRequest {
  return { operation, definition: definitions[plural] ?? {}, subresource } as unknown as AdmissionRequest;
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

describe('who says what concerns it', () => {
  const isPodCreate = ({ operation, definition, subresource }: Occasion) => operation === 'CREATE' && definition.plural === 'pods' && subresource === '';

  test('is asked about nothing else', () => {
    const asked: string[] = [];
    const chain = new AdmissionChain([{ ...noting(asked, 'choosy', atOnce), concerns: isPodCreate }, noting(asked, 'any', atOnce)]);
    for (const one of [ask('CREATE', 'pods'), ask('UPDATE', 'pods'), ask('CREATE', 'pods', 'binding'), ask('CREATE', 'nodes')]) void chain.mutate(one);
    expect(asked).toEqual(['choosy', 'any', 'any', 'any', 'any']);
  });

  test('says so once for each resource, subresource and operation', () => {
    const occasions: string[] = [];
    const concerns = ({ operation, definition, subresource }: Occasion) => occasions.push(`${operation} ${definition.plural} ${subresource}`) > 0;
    const chain = new AdmissionChain([{ name: 'counting', concerns }]);
    for (let round = 0; round < 3; round++) {
      for (const one of [ask('CREATE', 'pods'), ask('DELETE', 'pods'), ask('CREATE', 'pods', 'binding'), ask('CREATE', 'nodes')]) {
        void chain.mutate(one);
        void chain.validate(one);
      }
    }
    expect(occasions).toEqual(['CREATE pods ', 'DELETE pods ', 'CREATE pods binding', 'CREATE nodes ']);
  });
});
