// What a patch has left alone. A patched document shares with the live object whatever the patch did not touch; that was decoded when it was
// stored, so that only the rest is decoded again. Paid for by the patch cells of `npm run bench`.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { clone, setMember } from '#schema/clone.ts';
import { copyGivenEmpty } from '#schema/given-empty.ts';
import { isCustom, planOf } from '#schema/struct-plan.ts';
import { isPlainObject, memberOf, type PlainObject } from '#patch/members.ts';

export interface Touched {
  /** The patched document without what it shares with the live object. */
  readonly part: PlainObject;
  /** The decoded part with copies of what was left out, members in the order of the document. Uses the part up. */
  readonly whole: (decoded: PlainObject) => PlainObject;
}

/** Which values of these schemas decoding leaves as they are, once they have been stored. */
export type IsStable = (schema: AnySchema) => boolean;

/** Of a built-in kind; neither the document nor the live object is changed. */
export function touchedPart(schema: StructSchema, document: PlainObject, live: PlainObject, isStable: IsStable): Touched {
  const part: PlainObject = {};
  const inside = new Map<string, Touched>();
  const shared = new Set<string>();
  for (const key of Object.keys(document)) {
    const [value, before, member] = [document[key], memberOf(live, key), planOf(schema).fields.get(key)?.schema];
    if (isObject(value) && value === before && member !== undefined && isStable(member)) {
      shared.add(key);
      continue;
    }
    const struct = structOf(member);
    const below = struct && isPlainObject(value) && isPlainObject(before) ? touchedPart(struct, value, before, isStable) : undefined;
    // A struct of which nothing is left would be decoded as one that was sent empty.
    if (below === undefined || Object.keys(below.part).length === 0) setMember(part, key, value);
    else {
      setMember(part, key, below.part);
      inside.set(key, below);
    }
  }
  return { part, whole: (decoded) => withShared(document, shared, decoded, inside) };
}

function structOf(schema: AnySchema | undefined): StructSchema | undefined {
  return schema?.is === 'struct' && !isCustom(schema) ? schema : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function withShared(document: PlainObject, shared: ReadonlySet<string>, decoded: PlainObject, inside: ReadonlyMap<string, Touched>): PlainObject {
  const whole: PlainObject = {};
  for (const key of Object.keys(document)) {
    const value = shared.has(key) ? clone(document[key]) : decodedMember(memberOf(decoded, key), inside.get(key));
    if (value !== undefined) setMember(whole, key, value);
  }
  // Members that are always there, whether sent or not.
  for (const key of Object.keys(decoded)) if (!Object.hasOwn(whole, key)) setMember(whole, key, decoded[key]);
  copyGivenEmpty(decoded, whole);
  return whole;
}

function decodedMember(decoded: unknown, below: Touched | undefined): unknown {
  return below === undefined ? decoded : below.whole(isPlainObject(decoded) ? decoded : {});
}
