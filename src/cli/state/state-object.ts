import type { KubernetesObject, ObjectMeta } from '#api/object.ts';

/** An object of any kind, as it stands in a file of exported state. */
export interface StateObject extends KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta & { name: string };
}

/** As messages name it: `Deployment web/front`. */
export function titleOf({ kind, metadata: { namespace, name } }: StateObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
