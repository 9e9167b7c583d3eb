import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { converterOf } from '#crd/converter.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';

const names = { plural: 'xs', kind: 'X' };
const definition: CustomResourceDefinition = {
  metadata: { name: 'xs.x.example' },
  spec: { group: 'x.example', names, scope: 'Cluster', conversion: { strategy: 'None' }, versions: [] },
  status: { acceptedNames: names },
};

test('without a converter versions differ in nothing but apiVersion, and objects stay as they were', () => {
  const object = fc.record({ spec: fc.jsonValue(), kind: fc.constant('X'), metadata: fc.constant({ name: 'x' }) });
  fc.assert(
    fc.property(fc.array(object), (given) => {
      const objects = given.map((one) => ({ ...one, apiVersion: 'x.example/v1' })) as KubernetesObject[];
      const before = JSON.stringify(objects);
      const made = converterOf(definition, undefined)(objects, 'x.example/v2');
      expect(made).toEqual(objects.map((one) => ({ ...one, apiVersion: 'x.example/v2' })));
      expect(JSON.stringify(objects)).toBe(before);
    }),
  );
});
