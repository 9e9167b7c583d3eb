// Fields that somebody else owns with another value, and how clients are told.
import { ApiError } from '#api/api-error.ts';
import type { Steps } from '#base/steps.ts';
import { type FieldPath, type FieldSet, formatPath, pathsOf } from '#patch/apply/field-set.ts';
import { goQuote } from '#patch/apply/path-element.ts';
import type { Owner } from '#patch/apply/owners.ts';

export interface Conflict {
  readonly owner: Owner;
  readonly path: FieldPath;
}

/** Raised by the merger; the field manager may know better, or turns it into a 409. */
export class ApplyConflicts extends Error {
  override readonly name = 'ApplyConflicts';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('conflicts');
    this.conflicts = conflicts;
  }
}

/** `contested` are the fields in conflict by owner, in the order in which they are reported. */
export function conflictsOf(contested: readonly (readonly [Owner, FieldSet])[]): ApplyConflicts {
  return new ApplyConflicts(contested.flatMap(([owner, fields]) => pathsOf(fields).map((path) => ({ owner, path }))));
}

/** In steps: there may be as many conflicts as a body has fields. */
export function* conflictError(conflicts: readonly Conflict[]): Steps<ApiError> {
  yield;
  const causes = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${formatOwner(owner)}`,
    field: formatPath(path),
  }));
  yield;
  return new ApiError(409, 'Conflict', conflictMessage(conflicts), { details: { causes } });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${formatOwner(only.owner)}: ${formatPath(only.path)}`;
  }
  const byOwner = new Map<Owner, string[]>();
  for (const { owner, path } of conflicts) {
    const lines = byOwner.get(owner) ?? [`conflicts with ${formatOwner(owner)}:`];
    lines.push(`- ${formatPath(path)}`);
    byOwner.set(owner, lines);
  }
  const lines = [...byOwner.values()].flat();
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function formatOwner({ manager, subresource, operation, apiVersion }: Owner): string {
  const name = subresource === '' ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
