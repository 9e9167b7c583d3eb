import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { parseCidrSloppy } from '#base/ip-address.ts';
import type { ServiceCIDR } from '#kinds/networking/v1/service-cidr.ts';
import { validateCidr } from '#kinds/rules/addresses.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { keepMetadataForStatus, statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

export const serviceCidrStrategy: Strategy<ServiceCIDR> = {
  prepareForCreate(network, { gate }) {
    if (gate('ServiceCIDRStatusFieldWiping')) network.status = {};
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, false, nameIsSubdomain, errors);
    validateCidrs(spec.cidrs ?? [], 'spec.cidrs', errors);
  },
  prepareForUpdate(network, old, { gate }) {
    if (gate('ServiceCIDRStatusFieldWiping')) network.status = old.status;
  },
  validateUpdate(network, old, errors) {
    validateObjectMetaUpdate(network.metadata, old.metadata, errors);
    validateCidrsUpdate(network.spec, old.spec.cidrs ?? [], errors);
  },
  subresources: {
    status: statusStrategy<ServiceCIDR>({
      prepare: ({ metadata }, old) => keepMetadataForStatus(metadata, old.metadata),
      validateUpdate: (network, old, errors) => validateObjectMetaUpdate(network.metadata, old.metadata, errors),
      resetFields: [['metadata'], ['spec']],
    }),
  },
};

function validateCidrs(cidrs: readonly string[], path: string, errors: FieldErrors): void {
  if (cidrs.length === 0) return errors.required(path, 'at least one CIDR required');
  if (cidrs.length > 2) return errors.invalid(path, { CIDRs: cidrs }, 'may only hold up to 2 values');
  cidrs.forEach((cidr, index) => validateCidr(cidr, `${path}[${index}]`, errors));
  const [first, second] = cidrs.map((cidr) => parseCidrSloppy(cidr)?.base.family);
  if (cidrs.length === 2 && first !== undefined && first === second) {
    errors.invalid(path, cidrs, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64');
  }
}

/** A network of the other family may be added, and that is all. */
function validateCidrsUpdate(spec: ServiceCIDR['spec'], old: readonly string[], errors: FieldErrors): void {
  const path = 'spec.cidrs';
  const { cidrs = [] } = spec;
  const grows = old.length === 1 && cidrs.length === 2;
  if (!grows && cidrs.length !== old.length) {
    return errors.invalid(path, cidrs.length > 0 || wasGivenEmpty(spec, 'cidrs') ? cidrs : null, 'field is immutable');
  }
  old.forEach((cidr, index) => {
    if (cidrs[index] !== cidr) errors.invalid(`${path}[${index}]`, cidrs[index], 'field is immutable');
  });
  if (grows) validateCidrs(cidrs, path, errors);
}

export const serviceCidrColumns: readonly Column<ServiceCIDR>[] = [
  nameColumn(),
  { name: 'CIDRs', type: 'string', read: ({ spec }) => (spec.cidrs ?? []).join(',') },
  ageColumn(),
];
