// YAML tokens as a tree of nodes: the first document of a text.
import { refuseCrowded } from '#schema/element-limit.ts';
import { maximumKeptDepth } from '#schema/json/json-node.ts';
import { type Token, type TokenType, YamlScanner } from '#schema/yaml/yaml-scanner.ts';
import { refuseUnreadable, YamlError } from '#schema/yaml/yaml-source.ts';

export interface ScalarNode {
  readonly is: 'scalar';
  /** Counted from 0. */
  readonly line: number;
  readonly text: string;
  readonly tag: string;
  /** Written without quotes: may mean something else than text. */
  readonly plain: boolean;
}
export interface SequenceNode {
  readonly is: 'sequence';
  readonly line: number;
  readonly items: YamlNode[];
}
export interface MappingNode {
  readonly is: 'mapping';
  readonly line: number;
  readonly pairs: (readonly [key: YamlNode, value: YamlNode])[];
}
export interface AliasNode {
  readonly is: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export const tagPrefix = 'tag:yaml.org,2002:';

/** Undefined for an empty text. */
export function parseYamlNode(text: string): YamlNode | undefined {
  refuseUnreadable(text);
  return new YamlParser(text).document();
}

interface Properties {
  readonly anchor: string;
  readonly tag: string;
  readonly line: number;
}

class YamlParser {
  readonly #scanner: YamlScanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #handles = new Map<string, string>();
  #depth = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#scanner = new YamlScanner(text);
  }

  document(): YamlNode | undefined {
    if (this.#next() === 'stream-end') return undefined;
    const directives = this.#directives();
    const root = this.#next() === 'document-start' ? this.#explicitDocument() : this.#implicitDocument(directives);
    // What follows the document is not read, but the first token of it has to be one.
    this.#scanner.peek();
    return root;
  }

  #explicitDocument(): YamlNode {
    this.#scanner.take();
    return documentEnds.has(this.#next()) ? this.#empty(this.#scanner.peek().line) : this.#node(true, false);
  }

  #implicitDocument(afterDirectives: boolean): YamlNode {
    if (afterDirectives) this.#refuse('did not find expected <document start>', this.#scanner.peek());
    return this.#node(true, false);
  }

  #directives(): boolean {
    let version = false;
    let any = false;
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'version-directive') {
        if (version) this.#refuse('found duplicate %YAML directive', token);
        if (token.text !== '1.1') this.#refuse('found incompatible YAML document', token);
        version = true;
      } else if (token.type === 'tag-directive') {
        if (this.#handles.has(token.text)) this.#refuse('found duplicate %TAG directive', token);
        this.#handles.set(token.text, token.suffix ?? '');
      } else break;
      any = true;
      this.#scanner.take();
    }
    if (!this.#handles.has('!')) this.#handles.set('!', '!');
    if (!this.#handles.has('!!')) this.#handles.set('!!', tagPrefix);
    return any;
  }

  #node(block: boolean, indentless: boolean): YamlNode {
    refuseCrowded(++this.#nodes);
    if (++this.#depth > maximumKeptDepth) throw new YamlError('yaml: exceeded max depth of 10000');
    const node = this.#next() === 'alias' ? this.#alias() : this.#content(this.#properties(), block, indentless);
    this.#depth--;
    return node;
  }

  #alias(): YamlNode {
    const { text: name, line } = this.#scanner.take();
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    return { is: 'alias', line, name, target };
  }

  #properties(): Properties {
    const { line } = this.#scanner.peek();
    let anchor = this.#next() === 'anchor' ? this.#scanner.take().text : '';
    const tag = this.#next() === 'tag' ? this.#tag() : '';
    if (tag !== '' && anchor === '' && this.#next() === 'anchor') anchor = this.#scanner.take().text;
    return { anchor, tag, line };
  }

  #tag(): string {
    const token = this.#scanner.take();
    if (token.text === '') return token.suffix ?? '';
    const prefix = this.#handles.get(token.text);
    if (prefix === undefined) this.#refuse('found undefined tag handle', token);
    return prefix + (token.suffix ?? '');
  }

  #content(properties: Properties, block: boolean, indentless: boolean): YamlNode {
    const token = this.#scanner.peek();
    if (indentless && token.type === 'block-entry') return this.#sequence(properties, (items) => this.#indentlessItems(items));
    switch (token.type) {
      case 'scalar':
        this.#scanner.take();
        return this.#named(properties, this.#scalar(token, properties));
      case 'flow-sequence':
        return this.#sequence(properties, (items) => this.#flowItems(items));
      case 'flow-mapping':
        return this.#mapping(properties, (pairs) => this.#flowPairs(pairs));
      case 'block-sequence':
        if (block) return this.#sequence(properties, (items) => this.#blockItems(items));
        break;
      case 'block-mapping':
        if (block) return this.#mapping(properties, (pairs) => this.#blockPairs(pairs));
        break;
      default:
    }
    if (properties.anchor === '' && properties.tag === '') this.#refuse('did not find expected node content', token);
    return this.#named(properties, { is: 'scalar', line: properties.line, text: '', tag: properties.tag, plain: properties.tag === '' });
  }

  #scalar({ text, plain = false }: Token, { tag, line }: Properties): ScalarNode {
    return { is: 'scalar', line, text, tag, plain: (tag === '' && plain) || tag === '!' };
  }

  /** An anchor stands for its node from the start, so that the node may (wrongly) contain itself. */
  #sequence(properties: Properties, read: (items: YamlNode[]) => void): YamlNode {
    const node: SequenceNode = { is: 'sequence', line: properties.line, items: [] };
    this.#named(properties, node);
    read(node.items);
    return node;
  }

  #mapping(properties: Properties, read: (pairs: MappingNode['pairs']) => void): YamlNode {
    const node: MappingNode = { is: 'mapping', line: properties.line, pairs: [] };
    this.#named(properties, node);
    read(node.pairs);
    return node;
  }

  #named(properties: Properties, node: YamlNode): YamlNode {
    if (properties.anchor !== '') this.#anchors.set(properties.anchor, node);
    return node;
  }

  #blockItems(items: YamlNode[]): void {
    this.#scanner.take();
    while (this.#next() === 'block-entry') items.push(this.#item(['block-entry', 'block-end']));
    if (this.#next() !== 'block-end') this.#refuse("did not find expected '-' indicator", this.#scanner.peek());
    this.#scanner.take();
  }

  #indentlessItems(items: YamlNode[]): void {
    while (this.#next() === 'block-entry') items.push(this.#item(['block-entry', 'key', 'value', 'block-end']));
  }

  #item(ends: readonly TokenType[]): YamlNode {
    const { line } = this.#scanner.take();
    return ends.includes(this.#next()) ? this.#empty(line) : this.#node(true, false);
  }

  #blockPairs(pairs: MappingNode['pairs']): void {
    this.#scanner.take();
    for (;;) {
      const token = this.#scanner.peek();
      if (token.type === 'block-end') break;
      if (token.type !== 'key') this.#refuse('did not find expected key', token);
      const key = this.#blockPart();
      pairs.push([key, this.#next() === 'value' ? this.#blockPart() : this.#empty(this.#scanner.peek().line)]);
    }
    this.#scanner.take();
  }

  /** A key or a value of a block mapping, after its indicator. */
  #blockPart(): YamlNode {
    const { line } = this.#scanner.take();
    return ['key', 'value', 'block-end'].includes(this.#next()) ? this.#empty(line) : this.#node(true, true);
  }

  #flowItems(items: YamlNode[]): void {
    this.#scanner.take();
    for (let first = true; this.#next() !== 'flow-sequence-end'; first = false) {
      if (!first) this.#separator("did not find expected ',' or ']'");
      if (this.#next() === 'flow-sequence-end') break;
      items.push(this.#next() === 'key' ? this.#singlePair() : this.#node(false, false));
    }
    this.#scanner.take();
  }

  /** `[a: b]` is a list of one mapping. */
  #singlePair(): YamlNode {
    const { line } = this.#scanner.take();
    const ends: readonly TokenType[] = ['flow-entry', 'flow-sequence-end'];
    // The original loses one token after a `?` without a key.
    const isEmpty = this.#next() === 'value' || ends.includes(this.#next());
    const key = isEmpty ? this.#empty(this.#scanner.take().line) : this.#node(false, false);
    return { is: 'mapping', line, pairs: [[key, this.#flowValue(ends)]] };
  }

  #flowPairs(pairs: MappingNode['pairs']): void {
    this.#scanner.take();
    const ends: readonly TokenType[] = ['flow-entry', 'flow-mapping-end'];
    for (let first = true; this.#next() !== 'flow-mapping-end'; first = false) {
      if (!first) this.#separator("did not find expected ',' or '}'");
      if (this.#next() === 'flow-mapping-end') break;
      if (this.#next() !== 'key') {
        const key = this.#node(false, false);
        pairs.push([key, this.#empty(this.#scanner.peek().line)]);
        continue;
      }
      const { line } = this.#scanner.take();
      const key = this.#next() === 'value' || ends.includes(this.#next()) ? this.#empty(line) : this.#node(false, false);
      pairs.push([key, this.#flowValue(ends)]);
    }
    this.#scanner.take();
  }

  #flowValue(ends: readonly TokenType[]): YamlNode {
    const { line, type } = this.#scanner.peek();
    if (type !== 'value') return this.#empty(line);
    this.#scanner.take();
    return ends.includes(this.#next()) ? this.#empty(line) : this.#node(false, false);
  }

  #separator(problem: string): void {
    if (this.#next() !== 'flow-entry') this.#refuse(problem, this.#scanner.peek());
    this.#scanner.take();
  }

  #next(): TokenType {
    return this.#scanner.peek().type;
  }

  #empty(line: number): ScalarNode {
    return { is: 'scalar', line, text: '', tag: '', plain: true };
  }

  /** The original's parser names the line before the one it means, and none for the first. */
  #refuse(problem: string, { line }: Token): never {
    throw new YamlError(`yaml: ${line === 0 ? '' : `line ${line}: `}${problem}`);
  }
}

const documentEnds = new Set<TokenType>(['version-directive', 'tag-directive', 'document-start', 'document-end', 'stream-end']);
