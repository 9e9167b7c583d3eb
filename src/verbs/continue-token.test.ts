import { describe, expect, test } from 'vitest';
import { decodeContinue, encodeContinue } from '#verbs/continue-token.ts';

const token = (json: string) => Buffer.from(json).toString('base64url');
const refusal = 'invalid continue token: continue key is not valid: ';

test('what was encoded is decoded', () => {
  expect(decodeContinue(encodeContinue({ revision: 7, start: 'a/one' }))).toMatchObject({ revision: 7, start: 'a/one' });
});

test('names count in any case, and null is no value, as Go reads them', () => {
  expect(decodeContinue(token('{"V":"meta.k8s.io/v1","RV":100,"Start":"a/one","rv":null,"more":[]}'))).toMatchObject({ revision: 100, start: 'a/one' });
});

/** Asked of a real kube-apiserver v1.36.4. */
describe('a token is refused in the words of the original:', () => {
  test.each([
    ['{"v":"meta.k8s.io/v1","rv":1e300,"start":"a"}', 'json: cannot unmarshal number 1e300 into Go struct field continueToken.rv of type int64'],
    ['{"v":"meta.k8s.io/v1","rv":1.5,"start":"a"}', 'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64'],
    ['{"V":"meta.k8s.io/v1","RV":1e2,"Start":"a"}', 'json: cannot unmarshal number 1e2 into Go struct field continueToken.rv of type int64'],
    [
      '{"v":"meta.k8s.io/v1","rv":9223372036854775808,"start":"a"}',
      'json: cannot unmarshal number 9223372036854775808 into Go struct field continueToken.rv of type int64',
    ],
    ['{"v":"meta.k8s.io/v1","rv":"5","start":"a"}', 'json: cannot unmarshal string into Go struct field continueToken.rv of type int64'],
    ['{"v":"meta.k8s.io/v1","rv":3,"start":5}', 'json: cannot unmarshal number into Go struct field continueToken.start of type string'],
    ['{"v":5}', 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
    ['{"v":"meta.k8s.io/v1","rv":null,"start":"a"}', 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    ['[]', 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    ['"x"', 'json: cannot unmarshal string into Go value of type storage.continueToken'],
    ['null', 'server does not recognize this encoded version '],
    ['{"v":"meta.k8s.io/v1","rv":3,"start":"a"} x', "invalid character 'x' after top-level value"],
  ])('%s', (json, why) => {
    expect(() => decodeContinue(token(json))).toThrow(refusal + why);
  });
});
