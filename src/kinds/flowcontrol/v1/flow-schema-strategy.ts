// How flow schemas are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { FlowSchema, FlowSchemaSpec } from '#kinds/flowcontrol/v1/flow-schema.ts';
import { flowControlStatusStrategy, validateFlowControlStatus } from '#kinds/flowcontrol/v1/flow-control-status.ts';
import { validatePolicyRules } from '#kinds/flowcontrol/v1/flow-schema-rules-validation.ts';
import { mandatoryFlowSchemas } from '#kinds/flowcontrol/v1/mandatory-objects.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { internalForm, type SchemaSource } from '#kinds/rules/internal-form.ts';
import { validateObjectMeta } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultFlowSchemaSpec(spec: FlowSchemaSpec): void {
  spec.matchingPrecedence ||= 1000;
}

/** `table` is that of the spec, for messages that show it. */
export const flowSchemaStrategy = (table: SchemaSource): Strategy<FlowSchema> => ({
  prepareForCreate(flowSchema) {
    flowSchema.status = {};
    startGeneration(flowSchema.metadata);
  },
  validate: (flowSchema, errors) => validateFlowSchema(flowSchema, table, errors),
  prepareForUpdate(flowSchema, old) {
    flowSchema.status = old.status;
    countGeneration(flowSchema.metadata, old.metadata, flowSchema.spec, old.spec);
  },
  validateUpdate: (flowSchema, _old, errors) => validateFlowSchema(flowSchema, table, errors),
  subresources: { status: flowControlStatusStrategy() },
});

function validateFlowSchema({ metadata, spec, status }: FlowSchema, table: SchemaSource, errors: FieldErrors): void {
  const name = metadata.name ?? '';
  validateObjectMeta(metadata, false, nameIsSubdomain, errors);
  validateSpec(spec, name, errors);
  const fixed = mandatoryFlowSchemas[name];
  if (fixed !== undefined && !semanticEqual(spec, fixed)) {
    errors.invalid('spec', internalForm(table(), spec), `spec of '${name}' must equal the fixed value`);
  }
  validateFlowControlStatus(status, errors);
}

function validateSpec(spec: FlowSchemaSpec, name: string, errors: FieldErrors): void {
  const { matchingPrecedence: precedence = 0, distinguisherMethod: method, priorityLevelConfiguration: level } = spec;
  validatePrecedence(precedence, name, errors);
  const methods = ['ByNamespace', 'ByUser'];
  if (method !== undefined && !methods.includes(method.type)) errors.notSupported('spec.distinguisherMethod.type', { Type: method.type }, methods);
  if (level.name === '') errors.required('spec.priorityLevelConfiguration.name', 'must reference a priority level');
  else errors.invalidEach('spec.priorityLevelConfiguration.name', level.name, nameIsSubdomain(level.name, false));
  spec.rules?.forEach((rule, index) => validatePolicyRules(rule, `spec.rules[${index}]`, errors));
}

function validatePrecedence(precedence: number, name: string, errors: FieldErrors): void {
  const path = 'spec.matchingPrecedence';
  if (precedence <= 0) errors.invalid(path, precedence, 'must be a positive value');
  if (precedence > 10_000) errors.invalid(path, precedence, 'must not be greater than 10000');
  if (precedence === 1 && name !== 'exempt') errors.invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
}

export const flowSchemaColumns: readonly Column<FlowSchema>[] = [
  nameColumn(),
  { name: 'PriorityLevel', type: 'string', read: ({ spec }) => spec.priorityLevelConfiguration.name },
  { name: 'MatchingPrecedence', type: 'string', ordersRows: true, read: ({ spec }) => spec.matchingPrecedence ?? 0 },
  { name: 'DistinguisherMethod', type: 'string', read: ({ spec }) => spec.distinguisherMethod?.type ?? '<none>' },
  ageColumn(),
  { name: 'MissingPL', type: 'string', read: ({ status }) => status.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?' },
];
