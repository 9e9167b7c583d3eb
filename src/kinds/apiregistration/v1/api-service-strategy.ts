// How the registrations of API servers are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1035LabelProblems, dns1123SubdomainProblems, pathSegmentProblems, portNumberProblems } from '#base/formats.ts';
import { goQuote } from '#base/go-text.ts';
import type { APIService, APIServiceCondition, APIServiceSpec, ServiceReference } from '#kinds/apiregistration/v1/api-service.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import { timestamp } from '#kinds/rules/timestamps.ts';
import type { Column } from '#resource/column.ts';
import { validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultServiceReference(service: ServiceReference): void {
  service.port ??= 443;
}

export const apiServiceStrategy: Strategy<APIService> = {
  allowUnconditionalUpdate: false,
  prepareForCreate(service, { now }) {
    service.status = service.spec.service === undefined ? { conditions: [localAvailable(now)] } : {};
  },
  validate: validateAPIService,
  prepareForUpdate(service, old) {
    service.status = old.status;
  },
  validateUpdate(service, old, errors) {
    validateMetadataUpdate(service.metadata, old.metadata, 'metadata', errors);
    validateAPIService(service, errors);
  },
  subresources: {
    status: statusStrategy({
      keep: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
      resetFields: [['spec'], ['metadata']],
      validateUpdate({ metadata, status }, old, errors) {
        validateMetadataUpdate(metadata, old.metadata, 'metadata', errors);
        status.conditions?.forEach(({ status: state }, index) => validateConditionStatus(state, `status.conditions[${index}].status`, errors));
      },
    }),
  },
};

function localAvailable(now: Date): APIServiceCondition {
  return { type: 'Available', status: 'True', lastTransitionTime: timestamp(now), reason: 'Local', message: 'Local APIServices are always available' };
}

function validateConditionStatus(status: string, path: string, errors: FieldErrors): void {
  const known = ['True', 'False', 'Unknown'];
  if (!known.includes(status)) errors.notSupported(path, status, known);
}

function validateAPIService({ metadata, spec }: APIService, errors: FieldErrors): void {
  const { group = '', version = '', groupPriorityMinimum, versionPriority } = spec;
  validateMetadata(metadata, { namespaced: false, name: (name) => nameProblems(name, `${version}.${group}`) }, 'metadata', errors);
  if (group === '' && version !== 'v1') errors.required('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  if (group !== '') errors.invalidEach('spec.group', group, dns1123SubdomainProblems(group));
  errors.invalidEach('spec.version', version, dns1035LabelProblems(version));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    errors.invalid('spec.groupPriorityMinimum', groupPriorityMinimum, 'must be positive and less than 20000');
  }
  if (versionPriority <= 0 || versionPriority > 1000) errors.invalid('spec.versionPriority', versionPriority, 'must be positive and less than 1000');
  if (spec.service === undefined) validateLocal(spec, errors);
  else validateRemote(spec, spec.service, errors);
}

function nameProblems(name: string, required: string): readonly string[] {
  const problems = pathSegmentProblems(name);
  if (problems.length > 0 || name === required) return problems;
  return [`must be \`spec.version+"."+spec.group\`: ${goQuote(required)}`];
}

function validateLocal({ caBundle, insecureSkipTLSVerify }: APIServiceSpec, errors: FieldErrors): void {
  if (caBundle) errors.invalid('spec.caBundle', `${Buffer.byteLength(caBundle, 'base64')} bytes`, 'local APIServices may not have a caBundle');
  if (insecureSkipTLSVerify) {
    errors.invalid('spec.insecureSkipTLSVerify', insecureSkipTLSVerify, 'local APIServices may not have insecureSkipTLSVerify');
  }
}

function validateRemote({ caBundle, insecureSkipTLSVerify }: APIServiceSpec, { namespace, name, port = 0 }: ServiceReference, errors: FieldErrors): void {
  if (!namespace) errors.required('spec.service.namespace');
  if (!name) errors.required('spec.service.name');
  const problems = portNumberProblems(port);
  if (problems.length > 0) errors.invalid('spec.service.port', port, `port is not valid: ${problems.join(', ')}`);
  if (insecureSkipTLSVerify && caBundle) errors.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
}

export const apiServiceColumns: readonly Column<APIService>[] = [
  nameColumn(),
  { name: 'Service', type: 'string', read: ({ spec: { service } }) => (service === undefined ? 'Local' : `${service.namespace}/${service.name}`) },
  { name: 'Available', type: 'string', read: ({ status }) => availableCell(status.conditions?.find(({ type }) => type === 'Available')) },
  ageColumn(),
];

function availableCell(condition: APIServiceCondition | undefined): string {
  if (condition === undefined) return 'Unknown';
  if (condition.status === 'True') return 'True';
  return condition.reason ? `${condition.status} (${condition.reason})` : condition.status;
}
