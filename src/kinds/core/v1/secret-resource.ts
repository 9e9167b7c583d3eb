import { defaultSecret, secretColumns, secretStrategy } from '#kinds/core/v1/secret-strategy.ts';
import { Secret, SecretList } from '#kinds/core/v1/secret.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const secrets = defineResource<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  singular: 'secret',
  namespaced: true,
  strategy: secretStrategy,
  columns: secretColumns,
  schema: Secret,
  defaults: [defaultsOf(Secret, defaultSecret)],
  list: SecretList,
  storage: { version: 'v1', prefix: 'secrets', hash: 'S6u1pOWzb84=' },
  lifecycle: { introduced: '1.0' },
});
