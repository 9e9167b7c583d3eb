// Optimistic concurrency: the resourceVersion that a change is based on must be the stored object's.
import { conflict, invalid, unclassified } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Call, resourceOf } from '#verbs/call.ts';
import { parseResourceVersion } from '#verbs/options.ts';

/** The version of `stored`; refuses a `wanted` that is based on another one. */
export function requireVersion(call: Call, wanted: KubernetesObject, stored: KubernetesObject): string {
  const current = stored.metadata.resourceVersion ?? '';
  const asked = versionIn(wanted);
  if (asked === 0) {
    if (call.hub.strategy.allowUnconditionalUpdate === false) throw versionMissing(call);
  } else if (String(asked) !== current) {
    throw conflict(resourceOf(call), call.name, 'the object has been modified; please apply your changes to the latest version and try again');
  }
  return current;
}

/** 0 when there is none; refuses what is no version. */
export function versionIn({ metadata: { resourceVersion = '' } }: KubernetesObject): number {
  const version = parseResourceVersion(resourceVersion);
  if (version === undefined) throw unclassified(`strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`);
  return version;
}

/** Upstream names the resource here, not the kind. */
function versionMissing(call: Call): Error {
  const errors = new FieldErrors();
  errors.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  const { group, resource } = resourceOf(call);
  return invalid({ group, kind: resource }, call.name, errors.list);
}
