// Addresses in use: the name is the address, so that no two objects can hold the same one.
import { FieldErrors } from '#api/field-error.ts';
import { dns1123SubdomainProblems, type NameRule, pathSegmentProblems } from '#base/formats.ts';
import { validateSegment } from '#kinds/networking/v1/ingress-validation.ts';
import type { IPAddress, ParentReference } from '#kinds/networking/v1/ip-address.ts';
import { validateIp } from '#kinds/rules/addresses.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const nameIsAddress: NameRule = (name) => {
  const errors = new FieldErrors();
  validateIp(name, '', errors);
  return errors.list.map(({ detail }) => detail);
};

export const ipAddressStrategy: Strategy<IPAddress> = {
  nameFrom: (prefix) => prefix,
  validate: validateAddress,
  validateUpdate(address, old, errors) {
    validateAddress(address, errors);
    validateObjectMetaUpdate(address.metadata, old.metadata, errors);
    const { parentRef } = address.spec;
    if (!semanticEqual(parentRef, old.spec.parentRef)) errors.invalid('spec.parentRef', shownParent(parentRef), 'field is immutable');
  },
};

function shownParent(parent: ParentReference | undefined): object | null {
  if (parent === undefined) return null;
  // Required, but left out when empty.
  const { group = '', resource = '', namespace = '', name = '' } = parent as Partial<ParentReference>;
  return { Group: group, Resource: resource, Namespace: namespace, Name: name };
}

function validateAddress({ metadata, spec }: IPAddress, errors: FieldErrors): void {
  validateObjectMeta(metadata, false, nameIsAddress, errors);
  if (spec.parentRef === undefined) return errors.required('spec.parentRef');
  const { group, resource, namespace, name } = spec.parentRef;
  if (group) errors.invalidEach('spec.parentRef.group', group, dns1123SubdomainProblems(group));
  validateSegment(resource, 'spec.parentRef.resource', errors);
  validateSegment(name, 'spec.parentRef.name', errors);
  if (namespace) errors.invalidEach('spec.parentRef.namespace', namespace, pathSegmentProblems(namespace));
}

function parentCell(parent: ParentReference | undefined): string {
  if (parent === undefined) return '<none>';
  const { group, resource, namespace, name } = parent;
  return `${resource}${group ? `.${group}` : ''}${namespace ? `/${namespace}` : ''}/${name}`.toLowerCase();
}

export const ipAddressColumns: readonly Column<IPAddress>[] = [
  nameColumn(),
  { name: 'ParentRef', type: 'string', read: ({ spec }) => parentCell(spec.parentRef) },
  { ...ageColumn<IPAddress>(), undeclared: true },
];
