import { expect, test } from 'vitest';
import { schemaForm } from '#kinds/apiextensions/v1/json-schema-form.ts';
import { noteGivenEmpty } from '#schema/given-empty.ts';

test('lists and maps that were sent empty are shown empty, others as null', () => {
  const schema = { type: 'object' };
  expect(schemaForm(schema)).toMatchObject({ Properties: null, Required: null, Not: null });
  for (const keyword of ['properties', 'required']) noteGivenEmpty(schema, keyword);
  expect(schemaForm(schema)).toMatchObject({ Properties: {}, Required: [], Definitions: null });
});
