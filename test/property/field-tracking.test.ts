// Whatever an object holds, the short ways of tracking its fields say what the long ones say, for every kind the server knows.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { updateManagedFields } from '#patch/apply/field-manager.ts';
import { fits } from '#patch/apply/fits.ts';
import { itemsHaveSteps } from '#patch/apply/items-have-steps.ts';
import { topologyOf } from '#patch/apply/topology.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { knownFieldsText } from '#schema/fields-text/fields-text.ts';
import { arbitraryObject } from '../support/arbitrary-object.ts';

const request = { live: undefined, manager: 'm', subresource: '', now: new Date(0) };
/** Whatever may be owned at all may be owned: the same, by comparing sets. */
const theLongWay = { ownableFields: [['*']] };
const runs = { numRuns: 25 };

const kinds = builtinResources.map((resource) => ({ id: `${resource.group}/${resource.version} ${resource.kind}`, schema: resource.schema }));

describe.each(kinds)('$id', ({ schema }) => {
  test.each([{ resetFields: [['status']] }, { resetFields: [['spec'], ['metadata', 'labels']] }])('without $resetFields', ({ resetFields }) => {
    fc.assert(
      fc.property(arbitraryObject(schema), (given) => {
        const { object } = decodeValue(schema, given);
        delete object.metadata.managedFields;
        const track = (more: object) =>
          fieldsOf(updateManagedFields({ ...request, ...more, schema, resetFields, apiVersion: object.apiVersion as string, object }));
        expect(track({})).toBe(track(theLongWay));
      }),
      runs,
    );
  });
});

describe.each(kinds)('$id', ({ schema }) => {
  test('fits its type where all items have a step', () => {
    fc.assert(
      fc.property(arbitraryObject(schema), (given) => {
        const { object } = decodeValue(schema, given);
        const topology = topologyOf(schema);
        expect(itemsHaveSteps(topology, object)).toBe(fits(topology, object, false));
      }),
      runs,
    );
  });
});

function fieldsOf({ metadata }: KubernetesObject): string | undefined {
  const [entry] = metadata.managedFields ?? [];
  return entry && knownFieldsText(entry);
}
