// metadata.managedFields, both ways.
import type { ManagedFieldsEntry } from '#api/object.ts';
import type { FieldSet } from '#patch/apply/field-set.ts';
import { identityOf, type Owner, type OwnerId, type Owners, secondsOf } from '#patch/apply/owners.ts';
import { compareTexts, goQuote } from '#patch/apply/path-element.ts';
import { setOfText, setOfValue, textOfSet } from '#patch/fields-text/sets-by-text.ts';
import { equalValues, isPlainObject } from '#patch/members.ts';
import { defineFields, type FieldsText, knownFieldsText } from '#schema/fields-text/fields-text.ts';

/** The entries cannot be read. */
export class BrokenManagedFields extends Error {
  override readonly name = 'BrokenManagedFields';
}

export const noOwners: Owners = new Map();

export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): Owners {
  if (entries === undefined || entries.length === 0) return noOwners;
  const owners = new Map<OwnerId, Owner>();
  entries.forEach((entry, index) => {
    const owner = decodeEntry(entry, index);
    owners.set(identityOf(owner), owner);
  });
  return owners;
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Owner {
  const { manager = '', operation, apiVersion = '', subresource = '', time, fieldsType } = entry;
  if (operation !== 'Apply' && operation !== 'Update') throw new BrokenManagedFields('operation must be `Apply` or `Update`');
  if (apiVersion === '') throw new BrokenManagedFields('apiVersion must not be empty');
  if (!fieldsType) throw new BrokenManagedFields(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') throw new BrokenManagedFields(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
  try {
    return { manager, operation, apiVersion, subresource, time, fields: fieldsOf(entry) };
  } catch (error) {
    throw new BrokenManagedFields(`error decoding versioned set from ${goText(entry)}: ${(error as Error).message}`);
  }
}

/** As Go prints the struct of an entry. */
function goText(entry: ManagedFieldsEntry): string {
  const { manager = '', operation = '', apiVersion = '', subresource = '', time, fieldsType = '' } = entry;
  const at = time === undefined ? '<nil>' : time.replace('T', ' ').replace('Z', ' +0000 UTC');
  const fields = entry.fieldsV1 === undefined ? '<nil>' : (knownFieldsText(entry) ?? JSON.stringify(entry.fieldsV1));
  return `{${manager} ${operation} ${apiVersion} ${at} ${fieldsType} ${fields} ${subresource}}`;
}

function fieldsOf(entry: ManagedFieldsEntry): FieldSet {
  const text = knownFieldsText(entry);
  return text === undefined ? setOfValue(entry.fieldsV1) : setOfText(text);
}

/** In the order in which entries are written: operation, age, manager, version, subresource. */
export function encodeManagedFields(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined;
  return [...owners.values()].sort(compareOwners).map(encodeEntry);
}

function compareOwners(left: Owner, right: Owner): number {
  return (
    compareTexts(left.operation, right.operation) ||
    secondsOf(left.time) - secondsOf(right.time) ||
    compareTexts(left.manager, right.manager) ||
    compareTexts(left.apiVersion, right.apiVersion) ||
    compareTexts(left.subresource, right.subresource)
  );
}

function encodeEntry(owner: Owner): ManagedFieldsEntry {
  return makeEntry(owner, textOfSet(owner.fields));
}

/** `fields` is the text of the field set. */
export function makeEntry({ manager, operation, apiVersion, time, subresource }: Omit<Owner, 'fields'>, fields: FieldsText): ManagedFieldsEntry {
  const entry: ManagedFieldsEntry = {};
  if (manager !== '') entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  defineFields(entry, fields);
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** Everything but the time is the same. */
export function equalEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): boolean {
  for (const name of ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource'] as const) if (left[name] !== right[name]) return false;
  const [text, other] = [knownFieldsText(left), knownFieldsText(right)];
  return text === undefined || other === undefined ? equalValues(left.fieldsV1, right.fieldsV1) : text === other;
}

/** What a client sends to have tracking start again: no entries, or one that says nothing. Ask before decoding drops empty lists. */
export function isReset(managedFields: unknown): boolean {
  if (!Array.isArray(managedFields)) return false;
  const [first] = managedFields as readonly unknown[];
  return managedFields.length === 0 || (managedFields.length === 1 && isPlainObject(first) && Object.keys(first).length === 0);
}
