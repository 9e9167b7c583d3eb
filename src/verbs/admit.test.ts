import { describe, expect, test } from 'vitest';
import type { AdmissionPlugin } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import { configmaps } from '#kinds/core/v1/config-map-resource.ts';
import { PodExecOptions } from '#kinds/core/v1/connect-options.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import type { Store } from '#store/store.ts';
import { create } from '#verbs/create.ts';
import { connecting } from '#verbs/subresources/connect.ts';
import { streamToContainer } from '#verbs/subresources/pod-connect.ts';
import { update } from '#verbs/update.ts';
import { bodyOf, objectIn, verbWorld } from '../../test/support/verb-world.ts';

const configMap = (name: string, data = {}) => bodyOf({ metadata: { name }, data });

describe('an object that a mutating plugin returns', () => {
  const replacing: AdmissionPlugin = {
    name: 'replacing',
    mutate: async ({ object }) => ({ ...(object as KubernetesObject), data: { by: 'plugin' } }),
  };

  test('is stored in place of the one that was sent', async () => {
    await using verbs = verbWorld({ plugins: [replacing] });
    expect(objectIn(await create(verbs.call('configmaps'), configMap('a', { by: 'client' })))['data']).toEqual({ by: 'plugin' });
    expect(objectIn(await update(verbs.call('configmaps', 'a'), configMap('a', { by: 'client' })))['data']).toEqual({ by: 'plugin' });
  });
});

describe('a generated name that is taken', () => {
  test('is drawn again without asking mutating plugins again; validating ones see each', async () => {
    const asked: string[] = [];
    const names = ['gen-a', 'gen-a', 'gen-b'];
    const noting: AdmissionPlugin = {
      name: 'noting',
      mutate: ({ name }) => void asked.push(`mutate ${name}`),
      validate: ({ name }) => void asked.push(`validate ${name}`),
    };
    const definition = { ...configmaps, strategy: { ...configmaps.strategy, nameFrom: () => names.shift() ?? '' } };
    await using verbs = verbWorld({ plugins: [noting], definitions: [definition] });
    const generate = () => create(verbs.call('configmaps'), bodyOf({ metadata: { generateName: 'gen-' } }));
    await generate();
    expect(objectIn(await generate()).metadata.name).toBe('gen-b');
    expect(asked).toEqual(['mutate ', 'validate gen-a', 'mutate ', 'validate gen-a', 'validate gen-b']);
  });
});

describe('a connection', () => {
  test('is admitted as the options that its query asks for, before its target is looked up', async () => {
    const seen: unknown[] = [];
    const noting: AdmissionPlugin = {
      name: 'noting',
      validate: ({ operation, subresource, name, object }) => {
        seen.push({ operation, subresource, name, object });
        throw new Error('refused');
      },
    };
    await using verbs = verbWorld({ plugins: [noting] });
    const call = { ...verbs.call('pods', 'missing', 'command=ls&command=-l&stdin=true&tty=false&container=main'), subresource: 'exec' };
    await expect(connecting(PodExecOptions, streamToContainer)(call, { verb: 'create', body: undefined, patchType: undefined })).rejects.toThrow('refused');
    const object = { kind: 'PodExecOptions', apiVersion: 'v1', command: ['ls', '-l'], stdin: true, container: 'main' };
    expect(seen).toEqual([{ operation: 'CONNECT', subresource: 'exec', name: 'missing', object }]);
  });
});

describe('the outcome of a write', () => {
  const listening = (heard: boolean[]): AdmissionPlugin => ({
    name: 'listening',
    validate: ({ onOutcome }) => onOutcome?.((committed) => void heard.push(committed)),
  });

  test('is told once: stored', async () => {
    const heard: boolean[] = [];
    await using verbs = verbWorld({ plugins: [listening(heard)] });
    await create(verbs.call('configmaps'), configMap('a'));
    expect(heard).toEqual([true]);
  });

  test('is told once: rehearsed only', async () => {
    const heard: boolean[] = [];
    await using verbs = verbWorld({ plugins: [listening(heard)] });
    await create(verbs.call('configmaps', '', 'dryRun=All'), configMap('a'));
    expect(heard).toEqual([false]);
  });

  test('is told once: refused by a plugin behind, or because the name is taken', async () => {
    const heard: boolean[] = [];
    let isRefused = false;
    const refusing: AdmissionPlugin = {
      name: 'refusing',
      validate: () => {
        if (isRefused) throw new Error('refused');
      },
    };
    await using verbs = verbWorld({ plugins: [listening(heard), refusing] });
    await create(verbs.call('configmaps'), configMap('a'));
    await expect(create(verbs.call('configmaps'), configMap('a'))).rejects.toThrow('already exists');
    isRefused = true;
    await expect(create(verbs.call('configmaps'), configMap('b'))).rejects.toThrow('refused');
    expect(heard).toEqual([true, false, false]);
  });

  test('is told for every attempt of a write that is overtaken, and when the store fails', async () => {
    const heard: boolean[] = [];
    const { store, fault } = faulty(openMemoryStore());
    await using verbs = verbWorld({ plugins: [listening(heard)], store });
    await create(verbs.call('configmaps'), configMap('a'));
    fault.next = 'overtaken';
    await update(verbs.call('configmaps', 'a'), configMap('a', { k: 'v' }));
    fault.next = 'broken';
    await expect(update(verbs.call('configmaps', 'a'), configMap('a', { k: 'w' }))).rejects.toThrow('broken');
    expect(heard).toEqual([true, false, true, false]);
  });
});

/** A store that once writes the same value before it is asked to write, or fails. */
function faulty(inner: Store): { store: Store; fault: { next: 'overtaken' | 'broken' | undefined } } {
  const fault: { next: 'overtaken' | 'broken' | undefined } = { next: undefined };
  const compareAndSet: Store['compareAndSet'] = async (key, revision, value, options) => {
    const { next } = fault;
    fault.next = undefined;
    if (next === 'broken') throw new Error('broken');
    const current = next === 'overtaken' ? await inner.get(key) : undefined;
    if (current) await inner.compareAndSet(key, current.revision, current.value);
    return inner.compareAndSet(key, revision, value, options);
  };
  return { fault, store: new Proxy(inner, { get: (target, name) => (name === 'compareAndSet' ? compareAndSet : bound(target, name)) }) };
}

function bound(target: Store, name: string | symbol): unknown {
  const member = Reflect.get(target, name, target) as unknown;
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}
