import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems, domainPrefixedPathProblems, nameIsSubdomain } from '#base/formats.ts';
import { validateReference } from '#kinds/networking/v1/ingress-validation.ts';
import type { IngressClass, IngressClassParametersReference } from '#kinds/networking/v1/ingress-class.ts';
import { ageColumn } from '#kinds/rules/cells.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const controllerBytes = 250;

export function defaultIngressClass({ spec }: IngressClass): void {
  if (spec.parameters !== undefined) spec.parameters.scope ??= 'Cluster';
}

export const ingressClassStrategy: Strategy<IngressClass> = {
  prepareForCreate: ({ metadata }) => startGeneration(metadata),
  validate: validateIngressClass,
  prepareForUpdate: (ingressClass, old) => countGeneration(ingressClass.metadata, old.metadata, ingressClass.spec, old.spec),
  validateUpdate(ingressClass, old, errors) {
    validateObjectMetaUpdate(ingressClass.metadata, old.metadata, errors);
    validateImmutable(ingressClass.spec.controller ?? '', old.spec.controller ?? '', 'spec.controller', errors);
    validateIngressClass(ingressClass, errors);
  },
};

function validateIngressClass({ metadata, spec }: IngressClass, errors: FieldErrors): void {
  const { controller = '', parameters } = spec;
  validateObjectMeta(metadata, false, nameIsSubdomain, errors);
  if (byteLength(controller) > controllerBytes) errors.tooLong('spec.controller', controllerBytes);
  if (controller === '') errors.required('spec.controller');
  else for (const { value, problem } of domainPrefixedPathProblems(controller)) errors.invalid('spec.controller', value, problem);
  if (parameters !== undefined) validateParameters(parameters, 'spec.parameters', errors);
}

function validateParameters(parameters: IngressClassParametersReference, path: string, errors: FieldErrors): void {
  validateReference(parameters, path, errors);
  const { scope, namespace } = parameters;
  const scopes = ['Cluster', 'Namespace'];
  if (scope === undefined) errors.required(`${path}.scope`);
  else if (!scopes.includes(scope)) errors.notSupported(`${path}.scope`, scope, scopes);
  else if (scope === 'Cluster') {
    if (namespace !== undefined) errors.forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'");
  } else if (namespace === undefined) errors.required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'");
  else errors.invalidEach(`${path}.namespace`, namespace, dns1123LabelProblems(namespace));
}

function parametersCell({ parameters }: IngressClass['spec']): string {
  if (parameters === undefined) return '<none>';
  const { apiGroup, kind, name } = parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}

export const ingressClassColumns: readonly Column<IngressClass>[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    read: ({ metadata }) => `${metadata.name}${metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true' ? ' (default)' : ''}`,
  },
  { name: 'Controller', type: 'string', read: ({ spec }) => spec.controller ?? '' },
  { name: 'Parameters', type: 'string', read: ({ spec }) => parametersCell(spec) },
  ageColumn(),
];
