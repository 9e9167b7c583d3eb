import { describe, expect, test } from 'vitest';
import { Lease } from '#kinds/coordination/v1/lease.ts';
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { StructSchema } from '#schema/build.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { encodeJsonBytes } from '#schema/json/encode-bytes.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { parseStored } from '#schema/json/parse-json.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';

const decoded = (schema: StructSchema, text: string) => decodeJson(schema, Buffer.from(text)).object;
const lease = (spec: string) => `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"a"},"spec":${spec}}`;
const zero = '"0001-01-01T00:00:00.000000Z"';

describe('a pointer to the zero time', () => {
  test('is there, and written as null', () => {
    const object = decoded(Lease, lease(`{"acquireTime":${zero},"renewTime":null}`));
    expect(object).toMatchObject({ spec: { acquireTime: null } });
    expect(encodeJson(Lease, object)).toBe(lease('{"acquireTime":null}'));
    expect(encodeJsonBytes(Lease, object).toString()).toBe(lease('{"acquireTime":null}'));
  });

  test('is read so also where the body needs the exact reader', () => {
    const object = decoded(Lease, lease(`{"acquireTime":${zero},"leaseTransitions":1,"leaseTransitions":2}`));
    expect(object).toMatchObject({ spec: { acquireTime: null, leaseTransitions: 2 } });
  });

  test('stays in the store, and goes when a client sends null', () => {
    const written = encodeJson(Lease, decoded(Lease, lease(`{"acquireTime":${zero}}`)));
    expect(encodeJson(Lease, parseStored(Buffer.from(written), Lease))).toBe(written);
    expect(encodeJson(Lease, decoded(Lease, written))).toBe(lease('{}'));
  });

  test('survives protobuf', () => {
    const object = decoded(Lease, lease(`{"acquireTime":${zero},"holderIdentity":"a"}`));
    expect(decodeProtobuf(Lease, encodeProtobuf(Lease, object))).toMatchObject({ spec: { acquireTime: null, holderIdentity: 'a' } });
  });
});

test('a zero time that is no pointer counts as not set', () => {
  const text = '{"kind":"Pod","apiVersion":"v1","metadata":{"creationTimestamp":"0001-01-01T00:00:00Z"},"status":{"startTime":"0001-01-01T00:00:00Z"}}';
  const object = decoded(Pod, text);
  expect(object.metadata).toEqual({});
  expect(object).toMatchObject({ status: { startTime: null } });
});
