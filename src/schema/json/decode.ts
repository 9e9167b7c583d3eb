// From what a client sent to a canonical object. The fast way checks and tidies what JSON.parse gave;
// whatever it cannot vouch for is decoded again the way the original does it (decode-exact.ts).
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Turn } from '#base/next-turn.ts';
import { inOneGo, inTurns, type Steps } from '#base/steps.ts';
import { coerceEmbedded } from '#schema/structural/embedded-metadata.ts';
import { prune } from '#schema/structural/prune.ts';
import { isCustom } from '#schema/struct-plan.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { StructSchema } from '#schema/build.ts';
import { canonicalizer, irregular } from '#schema/json/canonical.ts';
import { clone } from '#schema/clone.ts';
import { asDecodeError, decodeExact, type ValueOrigin } from '#schema/json/decode-exact.ts';
import { refuseCrowdedJson } from '#schema/element-limit.ts';
import { glimpse, type JsonNode, nodeOf } from '#schema/json/json-node.ts';
import { parseExact, parsePlainObject } from '#schema/json/parse-json.ts';
import { giveSetsBack } from '#schema/fields-text/stored-entries.ts';

export { DecodeError } from '#schema/json/decode-exact.ts';

export interface Decoded {
  readonly object: KubernetesObject;
  /** What strict field validation objects to, in the original's words and order. */
  readonly problems: readonly string[];
}

/** JSON text that was read but not decoded: callers look at `value` to find out which kind it is. */
export interface JsonBody {
  readonly value: unknown;
  /** Keys in the text, when `value` lost nothing else. */
  readonly keys: number | undefined;
  /** The field sets of managedFields, which are not in `value`. */
  readonly sets?: readonly string[] | undefined;
  readonly exact: () => JsonNode;
}

export function decodeJson(schema: StructSchema, bytes: Buffer): Decoded {
  try {
    return decodeBody(schema, readJson(bytes));
  } catch (error) {
    throw asDecodeError(error);
  }
}

/** Throws a JsonSyntaxError, or refuses what is too much. */
export function readJson(bytes: Buffer): JsonBody {
  refuseCrowdedJson(bytes);
  return readUncrowded(bytes);
}

/** The same for a request: others have their turn between the two looks at a large text. */
export function readJsonInTurns(bytes: Buffer, turn: Turn): MaybePromise<JsonBody> {
  refuseCrowdedJson(bytes);
  return bytes.length < largeText ? readUncrowded(bytes) : turn.run(() => readUncrowded(bytes));
}

/** Less is read in one short turn. */
const largeText = 256 << 10;

function readUncrowded(bytes: Buffer): JsonBody {
  const plain = parsePlainObject(bytes);
  if (plain !== undefined) return { value: plain.value, keys: plain.keys, sets: plain.sets, exact: () => parseExact(bytes) };
  const node = parseExact(bytes);
  return { value: glimpse(node), keys: undefined, exact: () => node };
}

/** Uses the body up: its value becomes the object. */
export function decodeBody(schema: StructSchema, body: JsonBody): Decoded {
  const decoded = decodeFields(schema, body);
  return isCustom(schema) ? inOneGo(declaredOnly(schema, decoded)) : decoded;
}

/** The same for a request: what a large custom object holds beyond its schema is looked for in further turns. */
export function decodeBodyInTurns(schema: StructSchema, body: JsonBody, turn: Turn): MaybePromise<Decoded> {
  const decoded = decodeFields(schema, body);
  return isCustom(schema) ? inTurns(declaredOnly(schema, decoded), turn) : decoded;
}

function decodeFields(schema: StructSchema, { value, keys, sets, exact }: JsonBody): Decoded {
  const object = keys === undefined ? undefined : decodeRegular(schema, value, keys);
  return object === undefined || (sets !== undefined && !giveSetsBack(object, sets)) ? decodeNode(schema, exact) : { object, problems: none };
}

/** `duplicates` are the paths of repeated keys, as the parser of the value reported them. */
export function decodeValue(schema: StructSchema, value: unknown, duplicates: readonly string[] = none): Decoded {
  const decoded = inOneGo(valueDecodingSteps(schema, value));
  if (duplicates.length === 0) return decoded;
  return { object: decoded.object, problems: [...duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`), ...decoded.problems] };
}

/** The same in steps. */
export function* valueDecodingSteps(schema: StructSchema, value: unknown, origin?: ValueOrigin): Steps<Decoded> {
  const copy = clone(value);
  yield;
  const object = decodeRegular(schema, copy, undefined);
  const whole = object === undefined ? decodeNode(schema, () => nodeOf(value), origin) : { object, problems: none };
  return isCustom(schema) ? yield* declaredOnly(schema, whole) : whole;
}

/** Of a value that was read with its table already: uses it up. */
export function canonicalObject(schema: StructSchema, value: unknown): KubernetesObject {
  return canonicalizer(schema)(value, { keys: 0, lenient: true }) as KubernetesObject;
}

/** Tables of built-in kinds drop unknown fields while they decode; custom objects are decoded whole, then pruned. */
function* declaredOnly(schema: StructSchema, decoded: Decoded): Steps<Decoded> {
  yield;
  const strangers = coerceEmbedded(schema, decoded.object);
  yield;
  const { value, dropped: pruned } = prune(schema, decoded.object);
  if (decoded.problems.length === 0 && strangers.length === 0 && pruned.length === 0) return { object: value as KubernetesObject, problems: none };
  // Repeated fields are told first, then all that is unknown, sorted.
  const repeated = decoded.problems.filter((problem) => !problem.startsWith(unknownField));
  const unknown = decoded.problems.filter((problem) => problem.startsWith(unknownField));
  const dropped = [...strangers, ...pruned].map((path) => `${unknownField}${JSON.stringify(path)}`);
  return { object: value as KubernetesObject, problems: [...repeated, ...[...unknown, ...dropped].sort()] };
}

const unknownField = 'unknown field ';

const none: readonly string[] = [];

/** Undefined when the value is not regular, or has fewer keys than its text (some key stands twice). */
function decodeRegular(schema: StructSchema, value: unknown, keys: number | undefined): KubernetesObject | undefined {
  if (value === null || value === undefined) return undefined;
  const walk = { keys: 0, lenient: false };
  try {
    const object = canonicalizer(schema)(value, walk) as KubernetesObject;
    return keys === undefined || keys === walk.keys ? object : undefined;
  } catch (error) {
    if (error === irregular || error instanceof RangeError) return undefined;
    throw error;
  }
}

function decodeNode(schema: StructSchema, read: () => JsonNode, origin?: ValueOrigin): Decoded {
  try {
    const { value, problems } = decodeExact(schema, read(), origin);
    return { object: canonicalizer(schema)(value, { keys: 0, lenient: true }) as KubernetesObject, problems };
  } catch (error) {
    throw asDecodeError(error);
  }
}
