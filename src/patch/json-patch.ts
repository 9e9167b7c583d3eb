// RFC 6902 with the leniencies of evanphx/json-patch v4, which clients have come to rely on:
// index -1 and zero-led indexes, paths without leading slash, replace that adds, copy of nothing.
import { ApiError, badRequest, tooLarge } from '#api/api-error.ts';
import type { FieldValidation } from '#api/field-validation.ts';
import { inOneGo, type Steps } from '#base/steps.ts';
import { equalValues, isPlainObject, jsonTypeName, memberOf, type PlainObject, withSortedMembers } from '#patch/members.ts';
import { clone, setMember, shallowCopy } from '#schema/clone.ts';
import { JsonSyntaxError, parseJson } from '#schema/json/parse-json.ts';

export type JsonPatchOperation = PlainObject;

/** An operation that cannot be done. Clients of the API never read the message, those of webhooks do. */
export class JsonPatchFailure extends Error {
  override readonly name = 'JsonPatchFailure';
}

/** A `test` found another value: admission policies then leave the object alone. */
export class JsonPatchTestFailed extends JsonPatchFailure {
  override readonly name = 'JsonPatchFailure';
}

const maxOperations = 10_000;
const maxCopiedBytes = 3 * 1024 * 1024;
const knownMembers = ['op', 'path', 'from', 'value'];

/** The patched document; the document itself stays as it is. */
export function applyJsonPatch(document: unknown, patchBytes: Buffer, fieldValidation: FieldValidation = 'Warn'): unknown {
  return inOneGo(patchInRequest(document, decodeJsonPatch(patchBytes, fieldValidation).operations));
}

/** Within the limits of a request, with the refusals that clients read. */
export function* patchInRequest(document: unknown, operations: readonly JsonPatchOperation[]): Steps<unknown> {
  if (operations.length > maxOperations) {
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`);
  }
  try {
    return yield* patchingSteps(document, operations);
  } catch (error) {
    if (!(error instanceof JsonPatchFailure)) throw error;
    throw new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', { details: {}, cause: error });
  }
}

export interface DecodedJsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** What strict field validation finds: `json patch unknown field "[0].comment"`. */
  readonly findings: readonly string[];
}

export function decodeJsonPatch(patchBytes: Buffer, fieldValidation: FieldValidation = 'Warn'): DecodedJsonPatch {
  const lenient = fieldValidation === 'Ignore';
  try {
    const { value, duplicates } = parseJson(patchBytes);
    const operations = value === null ? [] : checkedOperations(value, lenient);
    return { operations, findings: lenient ? [] : findingsOf(operations, duplicates) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(lenient ? error.message : `error decoding patch: ${error.message}`);
  }
}

/** Types as Go checks them: with field validation against the members of an operation, without it as free maps. */
function checkedOperations(value: unknown, lenient: boolean): JsonPatchOperation[] {
  if (!Array.isArray(value)) throw cannotUnmarshal(value, `value of type ${lenient ? 'jsonpatch.Patch' : '[]handlers.jsonPatchOp'}`);
  for (const operation of value as readonly unknown[]) {
    if (operation === null) continue;
    if (!isPlainObject(operation)) throw cannotUnmarshal(operation, `value of type ${lenient ? 'jsonpatch.Operation' : 'handlers.jsonPatchOp'}`);
    if (lenient) continue;
    for (const member of ['op', 'path', 'from']) {
      const text = memberOf(operation, member) ?? '';
      if (typeof text !== 'string') throw cannotUnmarshal(text, `struct field jsonPatchOp.${member} of type string`);
    }
  }
  return (value as (JsonPatchOperation | null)[]).map((operation) => operation ?? {});
}

function cannotUnmarshal(value: unknown, target: string): JsonSyntaxError {
  return new JsonSyntaxError(`json: cannot unmarshal ${jsonTypeName(value)} into Go ${target}`);
}

function findingsOf(operations: readonly JsonPatchOperation[], duplicates: readonly string[]): string[] {
  const unknown = operations.flatMap((operation, index) =>
    Object.keys(operation)
      .filter((member) => !knownMembers.includes(member))
      .map((member) => `[${index}].${member}`),
  );
  return [...unknown.map((path) => `json patch unknown field "${path}"`), ...duplicates.map((path) => `json patch duplicate field "${path}"`)];
}

/** The members of the document that operations lead into; 'all' when one is about the document itself. */
export function membersNamedBy(operations: readonly JsonPatchOperation[]): ReadonlySet<string> | 'all' {
  const named = new Set<string>();
  for (const operation of operations) {
    for (const path of [memberOf(operation, 'path'), memberOf(operation, 'from') ?? '/']) {
      const [parents, key] = typeof path === 'string' ? splitPath(path) : [[], undefined];
      const first = parents[0] ?? key;
      if (first === undefined) return 'all';
      named.add(first);
    }
  }
  return named;
}

export function patchDocument(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  return inOneGo(patchingSteps(document, operations));
}

/** One operation may move all items of a long list. */
function* patchingSteps(document: unknown, operations: readonly JsonPatchOperation[]): Steps<unknown> {
  const work = new WorkingCopy(document);
  for (const operation of operations) {
    work.apply(operation);
    yield;
  }
  return work.finished();
}

type Container = PlainObject | unknown[];

/** Copies a container the first time it is opened, and only then. */
class WorkingCopy {
  root: unknown;
  readonly #owned = new Set<unknown>();
  #copiedBytes = 0;

  constructor(document: unknown) {
    this.root = document;
  }

  apply(operation: JsonPatchOperation): void {
    const op = memberOf(operation, 'op');
    switch (op) {
      case 'add':
        return this.#add(operation);
      case 'remove':
        return this.#remove(operation);
      case 'replace':
        return this.#replace(operation);
      case 'move':
        return this.#move(operation);
      case 'test':
        return this.#test(operation);
      case 'copy':
        return this.#copy(operation);
      default:
        throw new JsonPatchFailure(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`);
    }
  }

  #add(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'add operation failed to decode path: missing value');
    const target = this.#opened(path) ?? fail(`add operation does not apply: doc is missing path: "${path}": missing value`);
    explained(`error in add for path: '${path}'`, () => insert(target, valueOf(operation)));
  }

  #remove(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'remove operation failed to decode path: missing value');
    const target = this.#opened(path) ?? fail(`remove operation does not apply: doc is missing path: "${path}": missing value`);
    explained(`error in remove for path: '${path}'`, () => erase(target));
  }

  #replace(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'replace operation failed to decode path: operation missing path field: missing value');
    if (path === '') return this.#replaceRoot(operation);
    const target = this.#opened(path) ?? fail(`replace operation does not apply: doc is missing path: ${path}: missing value`);
    if (!Array.isArray(target.container)) return setMember(target.container, target.key, valueOf(operation));
    try {
      target.container[indexOf(target.container, target.key)] = valueOf(operation);
    } catch {
      fail(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    }
  }

  #replaceRoot(operation: JsonPatchOperation): void {
    const value = valueOf(operation);
    if (!isContainer(value)) fail('replace operation value must be object or array: %!w(<nil>)');
    this.root = value;
  }

  #move(operation: JsonPatchOperation): void {
    const from = fromOf(operation, 'move');
    const source = this.#opened(from) ?? fail(`move operation does not apply: doc is missing from path: ${from}: missing value`);
    const value = explained(`error in move for path: '${source.key}'`, () => {
      const found = read(source);
      erase(source);
      return found;
    });
    const path = pathOf(operation, 'move operation failed to decode path: operation missing path field: missing value');
    const target = this.#opened(path) ?? fail(`move operation does not apply: doc is missing destination path: ${path}: missing value`);
    explained(`error in move for path: '${path}'`, () => insert(target, value));
  }

  #test(operation: JsonPatchOperation): void {
    const path = pathOf(operation, 'test operation failed to decode path: operation missing path field: missing value');
    const expected = valueOf(operation);
    if (path === '') {
      if (!equalValues(this.root, expected)) failTest(path);
      return;
    }
    const target = this.#opened(path) ?? fail(`test operation does not apply: is missing path: ${path}: missing value`);
    const actual = explained(`error in test for path: '${path}'`, () => read(target)) ?? null;
    if (!equalValues(actual, expected)) failTest(path);
  }

  #copy(operation: JsonPatchOperation): void {
    const from = fromOf(operation, 'copy');
    const source = this.#opened(from) ?? fail(`copy operation does not apply: doc is missing from path: ${from}: missing value`);
    explained(`error in copy for from: '${from}'`, () => read(source));
    const path = pathOf(operation, 'copy operation failed to decode path: missing value');
    const target = this.#opened(path) ?? fail(`copy operation does not apply: doc is missing destination path: ${path}: missing value`);
    // Read again: the way to the target may lead through it.
    const value = this.finished(read(source) ?? null);
    this.#countCopied(value);
    explained('error while adding value during copy', () => insert(target, clone(value)));
  }

  #countCopied(value: unknown): void {
    if (value === null) return;
    const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
    this.#copiedBytes += Buffer.byteLength(text);
    if (this.#copiedBytes > maxCopiedBytes) {
      fail(`Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${maxCopiedBytes}`);
    }
  }

  #find(path: string): Place | undefined {
    const [parents, key] = splitPath(path);
    let container: unknown = this.root;
    for (const part of parents) container = isContainer(container) ? childOf(container, part) : undefined;
    return key !== undefined && isContainer(container) ? { container, key } : undefined;
  }

  /** Like find, and every container on the way is ours to change; the original opens them even where it only looks. */
  #opened(path: string): Place | undefined {
    if (this.#find(path) === undefined) return undefined;
    const [parents, key] = splitPath(path);
    let container = this.#own(this.root as Container);
    this.root = container;
    for (const part of parents) {
      const child = this.#own(childOf(container, part) as Container);
      if (Array.isArray(container)) container[indexOf(container, part)] = child;
      else setMember(container, part, child);
      container = child;
    }
    return { container, key: key as string };
  }

  /** What was opened is in the order in which Go writes maps; refusals of the result quote it so. */
  finished(value: unknown = this.root): unknown {
    if (value !== this.root && !this.#owned.has(value)) return value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.finished(item));
    if (!isPlainObject(value)) return value;
    const sorted = withSortedMembers(value);
    for (const key of Object.keys(sorted)) setMember(sorted, key, this.finished(sorted[key]));
    return sorted;
  }

  #own(container: Container): Container {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : shallowCopy(container);
    this.#owned.add(copy);
    return copy;
  }
}

interface Place {
  readonly container: Container;
  readonly key: string;
}

/** Whatever stands before the first slash is ignored; a path without any slash leads nowhere. */
function splitPath(path: string): [parents: readonly string[], key: string | undefined] {
  const parts = path.split('/').slice(1).map(decodeKey);
  return [parts.slice(0, -1), parts.at(-1)];
}

function decodeKey(part: string): string {
  return part.includes('~') ? part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')) : part;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function childOf(container: Container, part: string): unknown {
  if (!Array.isArray(container)) return memberOf(container, part);
  try {
    return container[indexOf(container, part)];
  } catch {
    return undefined;
  }
}

function read({ container, key }: Place): unknown {
  return Array.isArray(container) ? container[indexOf(container, key)] : memberOf(container, key);
}

function insert({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) return setMember(container, key, value);
  if (key === '-') {
    container.push(value);
    return;
  }
  const index = parseIndex(key, (why) => `value was not a proper array index: '${key}': ${why}`);
  container.splice(inRange(index, container.length + 1), 0, value);
}

function erase({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(indexOf(container, key), 1);
  else if (Object.hasOwn(container, key)) delete container[key];
  else fail(`Unable to remove nonexistent key: ${key}: missing value`);
}

function indexOf(list: readonly unknown[], key: string): number {
  return inRange(
    parseIndex(key, (why) => why),
    list.length,
  );
}

function parseIndex(key: string, explain: (why: string) => string): number {
  if (!/^[+-]?[0-9]+$/.test(key)) fail(explain(`strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`));
  return Number(key);
}

/** Negative indexes count from the end. */
function inRange(index: number, size: number): number {
  if (index >= size || index < -size) fail(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index < 0 ? index + size : index;
}

function pathOf(operation: JsonPatchOperation, refusal: string): string {
  const path = memberOf(operation, 'path');
  return typeof path === 'string' ? path : fail(refusal);
}

function fromOf(operation: JsonPatchOperation, op: string): string {
  const from = memberOf(operation, 'from');
  return typeof from === 'string' ? from : fail(`${op} operation failed to decode from: operation, missing from field: missing value`);
}

/** A missing value is null. */
function valueOf(operation: JsonPatchOperation): unknown {
  return memberOf(operation, 'value') ?? null;
}

function explained<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof JsonPatchFailure)) throw error;
    throw new JsonPatchFailure(`${where}: ${error.message}`);
  }
}

function failTest(path: string): never {
  throw new JsonPatchTestFailed(`testing value ${path} failed: test failed`);
}

function fail(message: string): never {
  throw new JsonPatchFailure(message);
}
