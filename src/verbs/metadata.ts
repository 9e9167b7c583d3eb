// The part of an object that the server keeps: identity, times, names.
import { randomBytes, randomUUID } from 'node:crypto';
import { badRequest } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import { safeLetters } from '#base/go-hash.ts';
import type { Call } from '#verbs/call.ts';

/** What clients may not choose at creation. */
export function wipeSystemFields({ metadata }: KubernetesObject): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

export function fillSystemFields({ metadata }: KubernetesObject, now: Date): void {
  metadata.creationTimestamp = timestamp(now);
  metadata.uid = randomUUID();
}

/** RFC 3339 in UTC, whole seconds: the form of every Time on the wire. */
export function timestamp(date: Date): string {
  return wholeSeconds(date);
}

/** Takes the namespace of the request where the object names none; refuses another one. */
export function settleNamespace(call: Call, object: KubernetesObject): void {
  const { metadata } = object;
  if (!call.definition.namespaced) {
    if (call.definition.kind !== 'Namespace' || metadata.namespace !== metadata.name) delete metadata.namespace;
    return;
  }
  if (!metadata.namespace) metadata.namespace = call.namespace;
  if (metadata.namespace !== call.namespace) throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** For writes to a named object: name in the body must be there and equal to the one in the URL. */
export function settleName(call: Call, object: KubernetesObject): void {
  const { name } = object.metadata;
  if (!name) throw badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`);
  if (name !== call.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.name})`);
}

const maxPrefix = 58;

export function generateName(prefix: string): string {
  return cut(prefix, maxPrefix) + randomSuffix(5);
}

export function randomSuffix(length: number): string {
  let suffix = '';
  for (let index = 0; index < length; index++) suffix += safeLetters[randomByte() % safeLetters.length];
  return suffix;
}

/** Many at a time: asking the system costs more than the bytes. */
const pool = { bytes: Buffer.alloc(0), used: 0 };
const poolBytes = 512;

function randomByte(): number {
  if (pool.used === pool.bytes.length) {
    pool.bytes = randomBytes(poolBytes);
    pool.used = 0;
  }
  return pool.bytes[pool.used++] as number;
}

function cut(text: string, bytes: number): string {
  return Buffer.byteLength(text) <= bytes ? text : Buffer.from(text).subarray(0, bytes).toString();
}
