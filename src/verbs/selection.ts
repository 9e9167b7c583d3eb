// Which objects of a resource a list, a watch or a deletecollection means.
import { badRequest } from '#api/api-error.ts';
import { type FieldSelector, fieldSelectorOf } from '#api/field-selector.ts';
import type { LabelSelector } from '#api/label-selector.ts';
import type { Call } from '#verbs/call.ts';
import type { ListOptions } from '#verbs/options.ts';

export interface Selection {
  readonly namespace: string;
  readonly name?: string;
  readonly labels?: LabelSelector;
  readonly fields?: FieldSelector;
}

export function selectionOf(call: Call, { labels, fields }: Pick<ListOptions, 'labels' | 'fields'>): Selection {
  return {
    namespace: call.namespace,
    ...(call.name !== '' && { name: call.name }),
    ...(labels && { labels }),
    ...(fields && { fields: knownFields(call, fields) }),
  };
}

export function selectsEverything({ labels, fields }: Selection): boolean {
  return labels === undefined && fields === undefined;
}

/** The selector in the names of the stored version; a field that this version does not offer is refused. */
function knownFields(call: Call, selector: FieldSelector): FieldSelector {
  return fieldSelectorOf(selector.requirements.map((requirement) => ({ ...requirement, field: knownField(call, requirement.field) })));
}

const commonFields: readonly string[] = ['metadata.name', 'metadata.namespace'];

function knownField({ definition, hub }: Call, field: string): string {
  const { selectableMetadata = commonFields, selectableFields = {}, unknownSelector } = hub.strategy;
  if (selectableMetadata.includes(field)) return field;
  const ours = definition.selectorNames === undefined ? field : (definition.selectorNames[field] ?? (definition === hub ? field : ''));
  if (Object.hasOwn(selectableFields, ours) && (definition.selectableFields?.includes(ours) ?? true)) return ours;
  if (unknownSelector) throw badRequest(unknownSelector(field));
  const plain = Object.keys(selectableFields).length === 0 && selectableMetadata === commonFields;
  throw badRequest(plain ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"` : `field label not supported: ${field}`);
}
