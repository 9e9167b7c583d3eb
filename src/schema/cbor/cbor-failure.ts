// What is wrong with an item. It travels up to the struct that holds it, which puts its own name in: the outermost struct is the one named.
import { CborError } from '#schema/cbor/cbor-error.ts';

export type Failure =
  | { readonly is: 'type'; readonly item: string; readonly goType: string; readonly note: string; readonly field: string }
  | { readonly is: 'plain'; readonly text: string };

export function typeFailure(item: string, goType: string, note = ''): Failure {
  return { is: 'type', item, goType, note, field: '' };
}

export function plainFailure(text: string): Failure {
  return { is: 'plain', text };
}

export function inField(failure: Failure, struct: string, field: string): Failure {
  return failure.is === 'type' ? { ...failure, field: `${struct}.${field}` } : failure;
}

export function asError(failure: Failure): CborError {
  if (failure.is === 'plain') return new CborError(failure.text);
  const { item, goType, note, field } = failure;
  const place = field === '' ? `Go value of type ${goType}` : `Go struct field ${field} of type ${goType}`;
  return new CborError(`cbor: cannot unmarshal ${item} into ${place}${note === '' ? '' : ` (${note})`}`);
}
