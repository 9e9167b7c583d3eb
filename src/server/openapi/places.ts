// The paths of a resource, and what the operations at them have in common.
import type { ResourceDefinition, SubresourceDefinition } from '#resource/definition.ts';
import type { Parameter } from '#server/openapi/operation.ts';
import { operationId, tagOf } from '#server/openapi/operation-names.ts';
import * as parameters from '#server/openapi/parameters.ts';

export const anyType: readonly string[] = ['*/*'];
export const objectTypes: readonly string[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** One path of a resource, and what the names of its operations are made of. */
export interface Place {
  readonly definition: ResourceDefinition;
  readonly path: string;
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string };
  /** What the path names, for descriptions. */
  readonly subject: string;
  /** The end of the operation ids, without verb, group and version. */
  readonly name: string;
  /** The parameters that the path itself has. */
  readonly parameters: readonly Parameter[];
}

export function collectionPlace(definition: ResourceDefinition): Place {
  const { group, version, kind, plural, namespaced } = definition;
  return {
    definition,
    path: `${rootOf(definition)}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`,
    gvk: { group, version, kind },
    subject: `objects of kind ${kind}`,
    name: (namespaced ? 'Namespaced' : '') + kind,
    parameters: namespaced ? [parameters.namespace, parameters.pretty] : [parameters.pretty],
  };
}

export function objectPlace(definition: ResourceDefinition): Place {
  const place = collectionPlace(definition);
  const { kind } = definition;
  return { ...place, path: `${place.path}/{name}`, subject: `the ${kind}`, parameters: [parameters.nameOfObject(kind), ...place.parameters] };
}

export function subresourcePlace(definition: ResourceDefinition, { name, kind, group, version }: SubresourceDefinition): Place {
  const place = objectPlace(definition);
  return {
    ...place,
    path: `${place.path}/${name}`,
    gvk: { group: group ?? definition.group, version: version ?? definition.version, kind },
    subject: `${name} of the ${definition.kind}`,
    name: place.name + capitalized(name),
  };
}

export function rootOf({ group, version }: ResourceDefinition): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** What every operation at a place has; `options` come after the parameters of the path. */
export function operationAt({ definition, path, gvk, name, parameters: own }: Place, verb: string, prefix: string, options: readonly Parameter[]) {
  const { group, version } = definition;
  return {
    path,
    gvk,
    id: operationId(verb, group, version, prefix + name),
    tag: tagOf(group, version),
    parameters: [...own, ...options],
    consumes: anyType,
    produces: objectTypes,
  };
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
