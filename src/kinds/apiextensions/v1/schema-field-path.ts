// Paths that name a field of a schema: `.spec.replicas`, `.spec['a.b']`.
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { additionalOf } from '#kinds/apiextensions/v1/json-schema-walk.ts';

export interface FoundField {
  readonly steps: readonly string[];
  readonly schema: JSONSchemaProps;
}

export function fieldPathProblem(path: string, schema: JSONSchemaProps): string | undefined {
  const found = findField(path, schema);
  return 'problem' in found ? found.problem : undefined;
}

export function findField(path: string, root: JSONSchemaProps, allowsBrackets = true): FoundField | { readonly problem: string } {
  const steps: string[] = [];
  let schema: JSONSchemaProps | undefined = root;
  const tokens = tokensOf(path);
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    const step: string | { problem: string } = token === '[' ? bracketed(tokens, allowsBrackets) : dotted(token, tokens);
    if (typeof step !== 'string') return step;
    schema = token === '[' && schema?.properties === undefined ? additionalOf(schema ?? {}) : schema?.properties?.[step];
    if (schema === undefined) return { problem: 'does not refer to a valid field' };
    steps.push(step);
  }
  return { steps, schema: schema ?? {} };
}

function tokensOf(path: string): string[] {
  return path.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/g) ?? [];
}

function bracketed(tokens: string[], allowed: boolean): string | { problem: string } {
  if (!allowed) return { problem: 'array notation is not allowed' };
  const name = tokens.shift();
  if (name === undefined) return { problem: 'unexpected end of JSON path' };
  if (!/^'.*'$/.test(name)) return { problem: `expected single quoted string but got ${name}` };
  const end = tokens.shift();
  if (end === undefined) return { problem: 'unexpected end of JSON path' };
  return end === ']' ? name.slice(1, -1).replaceAll("\\'", "'") : { problem: `expected ] but got ${end}` };
}

function dotted(token: string, tokens: string[]): string | { problem: string } {
  if (token !== '.') return { problem: `expected [ or . but got: ${token}` };
  return tokens.shift() ?? { problem: 'unexpected end of JSON path' };
}
