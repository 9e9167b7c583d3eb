// A Scale seen in the object it belongs to, at the paths that the resource's definition names; custom kinds choose theirs.
import { internalError } from '#api/api-error.ts';
import { type LabelSelectorObject, labelSelectorFrom } from '#api/label-selector.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Scale } from '#kinds/autoscaling/v1/scale.ts';
import type { ReplicasPaths } from '#patch/apply/scale.ts';
import type { ScalePaths } from '#resource/definition.ts';
import type { Call } from '#verbs/call.ts';

export type ScaleObject = Scale & KubernetesObject;

export function scalePathsOf({ definition, subresource }: Pick<Call, 'definition' | 'subresource'>): ScalePaths {
  const paths = definition.subresources.find(({ name }) => name === subresource)?.scale;
  if (paths === undefined) throw new Error(`${definition.plural} have no scale`);
  return paths;
}

/** `parent` in the version of the request. A parent without replicas has no Scale to show. */
export function scaleOf(parent: KubernetesObject, paths: ScalePaths): ScaleObject {
  if (valueAt(parent, paths.specReplicas) === undefined) throw internalError(`the spec replicas field ".${paths.specReplicas.join('.')}" does not exist`);
  return writableScaleOf(parent, paths);
}

/** What a client writes over: none stand for no replicas. */
export function writableScaleOf(parent: KubernetesObject, paths: ScalePaths): ScaleObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const replicas = valueAt(parent, paths.specReplicas);
  const selector = selectorText(parent.kind, paths.selector && valueAt(parent, paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas ? { replicas: Number(replicas) } : {},
    status: { replicas: Number(valueAt(parent, paths.statusReplicas) ?? 0), ...(selector !== '' && { selector }) },
  };
}

/** Changes `parent`. */
export function setReplicas(parent: KubernetesObject, { specReplicas }: ScalePaths, replicas: number): void {
  let holder = parent as Record<string, unknown>;
  for (const name of specReplicas.slice(0, -1)) {
    holder[name] ??= {};
    holder = holder[name] as Record<string, unknown>;
  }
  holder[specReplicas.at(-1) ?? ''] = replicas;
}

/** In all versions of the resource, for owners that wrote in another one. */
export function replicasPathsOf({ world: { catalog }, definition, hub, subresource }: Call): ReplicasPaths {
  const versions = new Set([hub, definition, ...catalog.versionsOf(definition.group, definition.plural)]);
  return Object.fromEntries(
    [...versions].map((version) => [apiVersionOf(version), version.subresources.find(({ name }) => name === subresource)?.scale?.specReplicas] as const),
  );
}

function valueAt(object: KubernetesObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], object);
}

/** Custom kinds hold the text of a selector; that of a ReplicationController is a plain map. */
function selectorText(kind: string | undefined, selector: unknown): string {
  if (typeof selector === 'string' || selector === undefined) return selector ?? '';
  return labelSelectorFrom(kind === 'ReplicationController' ? { matchLabels: selector as Record<string, string> } : (selector as LabelSelectorObject)).text;
}
