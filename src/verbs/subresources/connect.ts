// CONNECT: exec, attach, portforward and the proxies. Admission sees what the query asks for as an object, before their target is looked up.
import type { KubernetesObject } from '#api/object.ts';
import { badRequest } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { admitConnect } from '#verbs/admit.ts';
import type { Call } from '#verbs/call.ts';
import type { SubresourceHandler } from '#verbs/subresource.ts';

/** The handler, behind admission. `options` is the schema of the options object: PodExecOptions, ServiceProxyOptions. */
export function connecting(options: StructSchema, handler: SubresourceHandler): SubresourceHandler {
  return async (call, request) => {
    const admitted = await admitConnect(call, connectOptions(call, options), options);
    return handler(call, { ...request, options: admitted as unknown as Readonly<Record<string, unknown>> });
  };
}

function connectOptions(call: Call, { fields }: StructSchema): KubernetesObject {
  const { definition, subresource, query, pathBehind } = call;
  const kind = definition.subresources.find(({ name }) => name === subresource)?.kind ?? definition.kind;
  const given = Object.entries(fields).flatMap(([name, { schema }]) => {
    const texts = name === 'path' ? [pathBehind].filter(Boolean) : query.getAll(name);
    const value = texts.length === 0 ? undefined : readTexts(schema, texts);
    // No field of these options is shown where it says nothing.
    return value === undefined || value === false || value === '' ? [] : [[name, value] as const];
  });
  // Options have no metadata: nothing of them is ever stored.
  return { kind, apiVersion: apiVersionOf(definition), ...Object.fromEntries(given) } as unknown as KubernetesObject;
}

/** As upstream converts query parameters: of several values the first counts, where a list is not wanted. */
function readTexts(schema: AnySchema, texts: readonly string[]): unknown {
  if (schema.is === 'list') return texts.map((text) => readText(schema.item, text));
  return readText(schema, texts[0] ?? '');
}

function readText(schema: AnySchema, text: string): unknown {
  switch (schema.is) {
    case 'boolean':
      return text !== '0' && text.toLowerCase() !== 'false';
    case 'int32':
    case 'int64':
      if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
      return Number(text);
    default:
      return text;
  }
}
