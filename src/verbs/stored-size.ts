// How large an object may be where it is stored: as etcd refuses it, so that whatever this server takes could be moved to one. What counts is
// the transaction that apiserver's etcd3 store would send (OptimisticPut of etcd's client), with built-in kinds in protobuf.
import { ApiError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { encodeProtobuf, hasProtobuf } from '#schema/protobuf/protobuf.ts';
import { envelopeAround } from '#schema/protobuf/protobuf-envelope.ts';
import { isCustom } from '#schema/struct-plan.ts';

/** `--max-request-bytes` of etcd, and what its client sends at most. */
const mostServed = 1536 * 1024;
const mostSent = 2 * 1024 * 1024;

/** Around the transaction: its tag and length, and a header with the number of the request. */
const raftOverhead = 18;

/** Less JSON than this is never so much protobuf: short numbers may take three times the bytes. */
export const surelyFits = 384 * 1024;

export interface StoredWrite {
  readonly key: string;
  /** 0 when the write creates the object. */
  readonly revision: number;
  readonly leased: boolean;
  readonly object: KubernetesObject;
  /** The stored form in JSON: counts where the original stores JSON too. */
  readonly json: () => Buffer;
}

/** The refusal of a write that is too large, as the original answers it: a plain error, without a reason. */
export function tooLargeToStore(hub: ResourceDefinition, write: StoredWrite): ApiError | undefined {
  const size = transactionSize(write, valueSize(hub, write));
  if (size > mostSent) {
    return new ApiError(500, undefined, `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${mostSent})`);
  }
  return size + raftOverhead > mostServed ? new ApiError(500, undefined, 'etcdserver: request is too large') : undefined;
}

/** `resourceVersion` and `selfLink` are not stored. */
function valueSize(hub: ResourceDefinition, { object, json }: StoredWrite): number {
  if (isCustom(hub.schema) || !hasProtobuf(hub.schema)) return json().length;
  const metadata = { ...object.metadata, resourceVersion: undefined, selfLink: undefined };
  const raw = encodeProtobuf(hub.schema, { ...object, metadata });
  return envelopeAround(apiVersionOf(hub), hub.kind, raw.length, [raw]).reduce((size, part) => size + part.length, 0);
}

/** TxnRequest: one comparison of the revision, one put, and for what is there already a range that reads it when the comparison fails. */
function transactionSize({ key, revision, leased }: StoredWrite, value: number): number {
  const keyField = field(Buffer.byteLength(key));
  const compare = 2 + keyField + 1 + varintSize(revision);
  const put = keyField + field(value) + (leased ? leaseField : 0);
  return field(compare) + field(field(put)) + (revision === 0 ? 0 : field(field(keyField)));
}

/** A lease is a number of 63 bits. */
const leaseField = 10;

/** A tag below 16, a length and as many bytes. */
function field(length: number): number {
  return 1 + varintSize(length) + length;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
  return size;
}
