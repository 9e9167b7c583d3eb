// A document of discovery that another server has answered.
import type { StructSchema } from '#schema/build.ts';
import { decodeBody, readJson } from '#schema/json/decode.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

export interface Expected {
  readonly kind: string;
  /** Any when undefined: resource lists are the same in all group-versions. */
  readonly apiVersions?: readonly string[];
}

/** JSON or YAML, whatever its type says, as the original's decoders see for themselves. Throws when the document calls itself something else. One that does not say what it is, or is empty, is believed, as the original does. */
export function documentIn<T extends object>(schema: StructSchema, body: Buffer, { kind, apiVersions }: Expected): Partial<T> {
  if (body.length === 0) return {};
  const isYaml = body[0] !== openingBrace && body.length <= mostYamlBytes;
  const read = readJson(isYaml ? Buffer.from(JSON.stringify(objectIn(parseYaml(body)))) : body);
  const said = (read.value ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if ((said.kind ?? '') !== '' && said.kind !== kind) throw new Error(`the document is of another kind than ${kind}`);
  if ((said.apiVersion ?? '') !== '' && apiVersions?.includes(String(said.apiVersion)) === false) throw new Error(`${kind} is of an unknown version`);
  return decodeBody(schema, read).object as unknown as Partial<T>;
}

const openingBrace = 0x7b;
/** YAML takes longer to read than JSON, and hardly any server answers in it. */
const mostYamlBytes = 1 << 20;

function objectIn(value: unknown): object {
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error('the document is no object');
  return value ?? {};
}
