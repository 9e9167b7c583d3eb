// Which owners have to look again when something has changed that they control, or could control.
import { isDeepStrictEqual } from 'node:util';
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey } from '#api/source.ts';
import type { ObjectView } from '#controllers/workloads/controlled-objects.ts';

export interface Owners<T extends KubernetesObject> {
  readonly kind: string;
  readonly source: Source<T>;
  readonly selectorOf: (owner: T) => LabelSelectorObject | undefined;
}

/** The keys of those that control it, before or now, and of all that might adopt it where it has become an orphan or has other labels now. */
export function ownersOf<T extends KubernetesObject>(owners: Owners<T>, before: ObjectView | undefined, after: ObjectView | undefined): readonly string[] {
  const isNew = after !== undefined && isNewOrphan(before, after);
  // Every change of a pod comes here once for each kind of owner, and all but one have nothing to do with it.
  if (!isNew && before?.controller?.kind !== owners.kind && after?.controller?.kind !== owners.kind) return nobody;
  const keys = [before, after].flatMap((view) => (view?.controller?.kind === owners.kind ? [`${view.namespace}/${view.controller.name}`] : []));
  return [...new Set(isNew ? [...keys, ...adopters(owners, after)] : keys)];
}

const nobody: readonly string[] = [];

function isNewOrphan(before: ObjectView | undefined, after: ObjectView): boolean {
  if (after.controller !== undefined || after.isDeleting) return false;
  return before?.controller !== undefined || !isDeepStrictEqual(before?.labels, after.labels);
}

function adopters<T extends KubernetesObject>({ source, selectorOf }: Owners<T>, { namespace, labels }: ObjectView): readonly string[] {
  return source.list(namespace).flatMap((item) => (labelSelectorFrom(selectorOf(item.object)).matches(labels) ? [sourceKey(item)] : []));
}
