// YAML as the original converts it to and from JSON.
import { Base64Error, canonicalBase64 } from '#schema/base64.ts';
import { setMember } from '#schema/clone.ts';
import { refuseCrowded, refuseCrowdedJson } from '#schema/element-limit.ts';
import { inOneGo, type Steps } from '#base/steps.ts';
import { countKeys, parsePlain } from '#schema/json/parse-json.ts';
import { type MappingNode, parseYamlNode, type ScalarNode, tagPrefix, type YamlNode } from '#schema/yaml/yaml-parser.ts';
import { isResolvable, resolvePlain, resolveTagged, type ResolvedScalar } from '#schema/yaml/yaml-scalar.ts';
import { YamlError } from '#schema/yaml/yaml-source.ts';

export { formatYaml, yamlWritingSteps } from '#schema/yaml/yaml-format.ts';
export { YamlError } from '#schema/yaml/yaml-source.ts';

export interface ParsedYaml {
  readonly value: unknown;
  /** What strict decoding says about repeated keys: one text for all of them. */
  readonly problem: string | undefined;
}

/** The first document of the text, as JSON would hold it: keys are text, and sorted. Throws a YamlError whose message begins with `yaml: `. */
export function parseYaml(input: string | Buffer): unknown {
  return readYaml(input).value;
}

export function readYaml(input: string | Buffer): ParsedYaml {
  return inOneGo(yamlReadingSteps(input));
}

/** The same in steps. */
export function* yamlReadingSteps(input: string | Buffer): Steps<ParsedYaml> {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  if (bytes[0] === openingBrace) refuseCrowdedJson(bytes);
  const json = readJson(bytes);
  if (json !== undefined) {
    yield;
    return { value: sortKeys(json), problem: undefined };
  }
  const node = parseYamlNode(textOf(bytes));
  if (node === undefined) return { value: null, problem: undefined };
  yield;
  const construction = new Construction();
  const value = construction.value(node);
  return { value, problem: construction.problem() };
}

const openingBrace = 0x7b;

/** Most YAML that machines send is JSON. */
function readJson(bytes: Buffer): unknown {
  if (bytes[0] !== openingBrace) return undefined;
  const plain = parsePlain(bytes);
  return plain !== undefined && countKeys(plain.value) === plain.keys ? plain.value : undefined;
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const object = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort()) setMember(result, key, sortKeys(object[key]));
  return result;
}

function sortedObject(entries: (readonly [string, unknown])[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) setMember(result, key, value);
  return result;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new YamlError(`yaml: ${utf8Problem(bytes)}`);
  }
}

/** What is wrong with the first character that is none. */
function utf8Problem(bytes: Buffer): string {
  for (let at = 0; at < bytes.length; ) {
    const width = characterWidth(bytes[at] as number);
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    const rest = [...bytes.subarray(at + 1, at + width)];
    if (rest.some((octet) => octet >> 6 !== 0b10)) return 'invalid trailing UTF-8 octet';
    const first = width === 1 ? (bytes[at] as number) : (bytes[at] as number) & (0x7f >> width);
    const value = rest.reduce((sum, octet) => sum * 64 + (octet & 0x3f), first);
    if (value < (smallestOfWidth[width] as number)) return 'invalid length of a UTF-8 sequence';
    at += width;
  }
  return 'invalid Unicode character';
}

const smallestOfWidth = [0, 0, 0x80, 0x800, 0x10000];

function characterWidth(octet: number): number {
  if (octet < 0x80) return 1;
  const found = [0b110, 0b1110, 0b11110].findIndex((lead, index) => octet >> (5 - index) === lead);
  return found < 0 ? 0 : found + 2;
}

type Key = string | number | bigint | boolean | null;

/** Nodes to values. Counts what aliases expand to and refuses bombs as the original does. */
class Construction {
  readonly #repeated: string[] = [];
  readonly #open = new Set<YamlNode>();
  #decoded = 0;
  #aliased = 0;
  #aliasDepth = 0;

  problem(): string | undefined {
    return this.#repeated.length === 0 ? undefined : `yaml: unmarshal errors:\n  ${this.#repeated.join('\n  ')}`;
  }

  value(node: YamlNode): unknown {
    const value = this.#construct(node);
    if (typeof value === 'number' && !Number.isFinite(value)) throw new YamlError(`json: unsupported value: ${formatNonFinite(value)}`);
    return value;
  }

  #construct(node: YamlNode): unknown {
    this.#count();
    switch (node.is) {
      case 'alias':
        return this.#expand(node, node.name, node.target);
      case 'scalar':
        return resolve(node).value;
      case 'sequence':
        return node.items.map((item) => this.value(item));
      case 'mapping':
        return this.#object(node);
    }
  }

  #count(): void {
    refuseCrowded(++this.#decoded);
    if (this.#aliasDepth > 0) this.#aliased++;
    if (this.#aliased > 100 && this.#decoded > 1000 && this.#aliased / this.#decoded > allowedAliasRatio(this.#decoded)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }

  #expand(alias: YamlNode, name: string, target: YamlNode): unknown {
    if (this.#open.has(alias)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
    this.#open.add(alias);
    this.#aliasDepth++;
    const value = this.#construct(target);
    this.#aliasDepth--;
    this.#open.delete(alias);
    return value;
  }

  #object(node: MappingNode): Record<string, unknown> {
    const members = new Map<Key, unknown>();
    this.#fill(node, members);
    return sortedObject([...members].map(([key, value]) => [keyText(key, value), value]));
  }

  #fill(node: MappingNode, members: Map<Key, unknown>): void {
    for (const [keyNode, valueNode] of node.pairs) {
      if (isMerge(keyNode)) {
        this.#merge(valueNode, members);
        continue;
      }
      const key = this.#construct(keyNode);
      if (typeof key === 'object' && key !== null) throw new YamlError(`yaml: invalid map key: ${goSyntax(key)}`);
      const value = this.value(valueNode);
      if (members.has(key as Key)) this.#repeated.push(`line ${valueNode.line + 1}: key ${goSyntax(key)} already set in map`);
      members.set(key as Key, value);
    }
  }

  #merge(node: YamlNode, members: Map<Key, unknown>): void {
    const sources = node.is === 'sequence' ? [...node.items].reverse() : [node];
    for (const source of sources) {
      const mapping = source.is === 'alias' ? source.target : source;
      if (mapping.is !== 'mapping') throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
      if (source.is === 'alias') this.#aliasDepth++;
      this.#count();
      this.#fill(mapping, members);
      if (source.is === 'alias') this.#aliasDepth--;
    }
  }
}

function isMerge(node: YamlNode): boolean {
  return node.is === 'scalar' && node.text === '<<' && (node.plain || node.tag === `${tagPrefix}merge`);
}

function resolve({ text, tag, plain }: ScalarNode): ResolvedScalar {
  if (tag === '') return plain ? asValue(resolvePlain(text), text) : { kind: 'str', value: text };
  const name = tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : '';
  if (name === 'binary') return { kind: 'str', value: decodeBinary(text) };
  return isResolvable(name) ? asValue(resolveTagged(text, name), text) : { kind: 'str', value: text };
}

function asValue(resolved: ResolvedScalar, text: string): ResolvedScalar {
  return resolved.kind === 'timestamp' ? { kind: 'str', value: text } : resolved;
}

function decodeBinary(text: string): string {
  try {
    return Buffer.from(canonicalBase64(text), 'base64').toString();
  } catch (error) {
    if (error instanceof Base64Error) throw new YamlError('yaml: !!binary value contains invalid base64 data');
    throw error;
  }
}

/** The share of values that may come from aliases: nearly all in small documents, a tenth in very large ones. */
function allowedAliasRatio(decoded: number): number {
  const [low, high] = [400_000, 4_000_000];
  if (decoded <= low) return 0.99;
  return decoded >= high ? 0.1 : 0.99 - (0.89 * (decoded - low)) / (high - low);
}

function keyText(key: Key, value: unknown): string {
  if (key === null) throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${value === null ? '<nil>' : goSyntax(value)}`);
  return typeof key === 'number' && !Number.isFinite(key) ? yamlNonFinite(key) : String(key);
}

function yamlNonFinite(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  return value > 0 ? '.inf' : '-.inf';
}

function formatNonFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

/** How Go prints a value with its types. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([key, member]) => `${goSyntax(key)}:${goSyntax(member)}`);
    return `map[interface {}]interface {}{${members.join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
