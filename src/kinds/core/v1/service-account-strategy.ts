import { nameIsSubdomain } from '#api/formats.ts';
import type { ServiceAccount } from '#kinds/core/v1/service-account.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  returnsDeleted: true,
  prepareForCreate: keepOnlyNames,
  prepareForUpdate: keepOnlyNames,
  validate(account, errors) {
    validateObjectMeta(account.metadata, true, nameIsSubdomain, errors);
  },
  validateUpdate(account, old, errors) {
    validateObjectMetaUpdate(account.metadata, old.metadata, errors);
    validateObjectMeta(account.metadata, true, nameIsSubdomain, errors);
  },
};

/** A reference to a secret of the same namespace is its name. */
function keepOnlyNames(account: ServiceAccount): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

export const serviceAccountColumns: readonly Column<ServiceAccount>[] = [nameColumn(), ageColumn()];
