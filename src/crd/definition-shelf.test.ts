import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '#base/log.ts';
import { type DefinitionFacts, definitionFacts } from '#crd/definition-facts.ts';
import { DefinitionShelf } from '#crd/definition-shelf.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-shelf-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(): string {
  return join(dir, 'facts');
}

function factsAt(name: string, revision: number): DefinitionFacts {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
  const metadata = { name, uid: `uid of ${name}`, generation: 1, resourceVersion: String(revision) };
  return definitionFacts(
    Buffer.from(JSON.stringify({ metadata, spec: { group: 'größe.example.com', versions }, status: { acceptedNames: { plural: 'things' } } })),
  );
}

function shelf(...all: readonly DefinitionFacts[]): DefinitionShelf {
  return new DefinitionShelf(file(), { log: silentLog, all: () => all, isSettled });
}

const isSettled = ({ definition }: DefinitionFacts) => definition.metadata.name !== 'unsettled.example.com';

function linesIn(): number {
  return readFileSync(file(), 'utf8').split('\n').length - 1;
}

test('facts come back as they were, for the revision that they were made of and no other', () => {
  shelf().add(factsAt('a', 7));
  const read = shelf().read();
  expect(read.take({ name: 'a', revision: 8 })).toBeUndefined();
  expect(read.take({ name: 'b', revision: 7 })).toBeUndefined();
  expect(read.take({ name: 'a', revision: 7 })?.facts()).toEqual(factsAt('a', 7));
});

test('what a settled definition serves is known without its facts', () => {
  const versions = ['v1', 'v2', 'v3'].map((name) => ({ name, served: name !== 'v2', storage: name === 'v1' }));
  const put = (name: string, group: string) => {
    const metadata = { name, resourceVersion: '7' };
    shelf().add(definitionFacts(Buffer.from(JSON.stringify({ metadata, spec: { group, versions }, status: { acceptedNames: { plural: 'things' } } }))));
  };
  put('things.example.com', 'example.com');
  put('unsettled.example.com', 'example.com');
  put('strange.example.com', 'größe.example.com');
  const served = (name: string) => shelf().read().take({ name, revision: 7 })?.served;
  expect(served('things.example.com')).toEqual({ group: 'example.com', plural: 'things', versions: ['v1', 'v3'] });
  expect([served('unsettled.example.com'), served('strange.example.com')]).toEqual([undefined, undefined]);
});

test('the last line about a definition counts', () => {
  for (const revision of [3, 5]) shelf().add(factsAt('a', revision));
  expect(shelf().read().take({ name: 'a', revision: 3 })).toBeUndefined();
  expect(shelf().read().take({ name: 'a', revision: 5 })?.facts()).toEqual(factsAt('a', 5));
});

test('a damaged line counts for nothing, and its neighbours stay', () => {
  for (const name of ['a', 'b', 'c']) shelf().add(factsAt(name, 1));
  writeFileSync(file(), readFileSync(file(), 'utf8').replace('uid of b', 'uid of x'));
  appendFileSync(file(), 'half a li');
  const read = shelf().read();
  expect(['a', 'b', 'c'].map((name) => read.take({ name, revision: 1 })?.facts().definition.metadata.uid)).toEqual(['uid of a', undefined, 'uid of c']);
});

test('says whether it has exactly what there is', () => {
  const [a, b] = [
    { name: 'a', revision: 1 },
    { name: 'b', revision: 2 },
  ];
  const isExact = (...items: readonly (typeof a)[]) => {
    const read = shelf().read();
    for (const item of items) read.take(item);
    return read.isExact(items);
  };
  expect(isExact()).toBe(true);
  expect(isExact(a)).toBe(false);
  for (const { name, revision } of [a, b]) shelf().add(factsAt(name, revision));
  expect(isExact(a, b)).toBe(true);
  expect(isExact(a)).toBe(false);
  appendFileSync(file(), 'rubbish\n');
  expect(isExact(a, b)).toBe(false);
});

test('is made anew with what is true now; what changes meanwhile comes after it', async () => {
  for (const revision of [1, 2, 3, 4, 5]) shelf().add(factsAt('gone', revision));
  const kept = shelf(factsAt('a', 4), factsAt('b', 5));
  kept.replace();
  kept.add(factsAt('b', 6));
  await vi.waitFor(() => expect(linesIn()).toBe(3));
  const read = shelf().read();
  expect(read.take({ name: 'gone', revision: 5 })).toBeUndefined();
  expect(read.take({ name: 'a', revision: 4 })?.facts()).toEqual(factsAt('a', 4));
  expect(read.take({ name: 'b', revision: 6 })?.facts()).toEqual(factsAt('b', 6));
});

test('does not grow without end', async () => {
  const kept = shelf(factsAt('a', 1));
  const line = JSON.stringify(factsAt('a', 1)).length;
  for (let added = 0; added < 3 << 20; added += line) kept.add(factsAt('a', 1));
  await vi.waitFor(() => expect(readFileSync(file()).length).toBeLessThan(2 << 20));
});

test('a file that cannot be written is given up without a word to clients', () => {
  const kept = new DefinitionShelf(join(dir, 'no', 'such', 'folder'), { log: silentLog, all: () => [], isSettled });
  kept.add(factsAt('a', 1));
  expect(kept.read().take({ name: 'a', revision: 1 })).toBeUndefined();
});
