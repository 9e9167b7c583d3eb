import { Binding } from '#kinds/core/v1/pod/binding.ts';
import { defineResource } from '#resource/definition.ts';

export const bindings = defineResource<Binding>({
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  singular: 'binding',
  namespaced: true,
  schema: Binding,
  verbs: ['create'],
  lifecycle: { introduced: '1.0' },
});
