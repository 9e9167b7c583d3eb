import { nameIsSubdomain } from '#base/formats.ts';
import type { ServiceAccount } from '#kinds/core/v1/service-account.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const enforceMountable = 'kubernetes.io/enforce-mountable-secrets';
const enforceMountableWarning = `metadata.annotations[${enforceMountable}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;

export const serviceAccountStrategy: Strategy<ServiceAccount> = {
  returnsDeleted: true,
  prepareForCreate: keepOnlyNames,
  prepareForUpdate: keepOnlyNames,
  validate(account, errors) {
    validateObjectMeta(account.metadata, true, nameIsSubdomain, errors);
  },
  warnOnCreate: (account) => (account.metadata.annotations?.[enforceMountable] === undefined ? [] : [enforceMountableWarning]),
  warnOnUpdate({ metadata }, old) {
    const isNew = metadata.annotations?.[enforceMountable] !== undefined && old.metadata.annotations?.[enforceMountable] === undefined;
    return isNew ? [enforceMountableWarning] : [];
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
