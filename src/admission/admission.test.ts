import { describe, expect, test } from 'vitest';
import { AdmissionChain, type AdmissionPlugin, type AdmissionRequest } from '#admission/admission.ts';

const request = { definition: {}, operation: 'CREATE', subresource: '' } as AdmissionRequest;

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
