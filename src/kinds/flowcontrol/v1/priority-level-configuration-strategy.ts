// How priority levels are written, judged and shown.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { flowControlStatusStrategy, validateFlowControlStatus } from '#kinds/flowcontrol/v1/flow-control-status.ts';
import { mandatoryPriorityLevels } from '#kinds/flowcontrol/v1/mandatory-objects.ts';
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '#kinds/flowcontrol/v1/priority-level-configuration.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { internalForm, type SchemaSource } from '#kinds/rules/internal-form.ts';
import { validateObjectMeta } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateChoice } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultExempt(exempt: ExemptPriorityLevelConfiguration): void {
  exempt.nominalConcurrencyShares ??= 0;
  exempt.lendablePercent ??= 0;
}

export function defaultLimited(limited: LimitedPriorityLevelConfiguration): void {
  limited.nominalConcurrencyShares ??= 30;
  limited.lendablePercent ??= 0;
}

export function defaultQueuing(queuing: QueuingConfiguration): void {
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}

/** `table` is that of the spec, for messages that show it. */
export const priorityLevelStrategy = (table: SchemaSource): Strategy<PriorityLevelConfiguration> => ({
  prepareForCreate(level) {
    level.status = {};
    startGeneration(level.metadata);
  },
  validate: (level, errors) => validatePriorityLevel(level, table, errors),
  prepareForUpdate(level, old) {
    level.status = old.status;
    countGeneration(level.metadata, old.metadata, level.spec, old.spec);
  },
  validateUpdate: (level, _old, errors) => validatePriorityLevel(level, table, errors),
  subresources: { status: flowControlStatusStrategy() },
});

const zeroSharesKey = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

function validatePriorityLevel({ metadata, spec, status }: PriorityLevelConfiguration, table: SchemaSource, errors: FieldErrors): void {
  const name = metadata.name ?? '';
  validateObjectMeta(metadata, false, nameIsSubdomain, errors);
  if (metadata.annotations?.[zeroSharesKey] !== undefined) errors.forbidden('metadata.annotations', `annotation '${zeroSharesKey}' is forbidden`);
  validateSpec(spec, name, errors);
  validateMandatory(spec, name, table, errors);
  validateFlowControlStatus(status, errors);
}

function validateMandatory(spec: PriorityLevelConfigurationSpec, name: string, table: SchemaSource, errors: FieldErrors): void {
  const fixed = mandatoryPriorityLevels[name];
  if (fixed === undefined) return;
  const tunable = name === 'exempt';
  if (semanticEqual(tunable ? { ...spec, exempt: fixed.exempt } : spec, fixed)) return;
  const which = tunable ? `'${name}' except the 'spec.exempt' field` : `'${name}'`;
  errors.invalid('spec', internalForm(table(), spec), `spec of ${which} must equal the fixed value`);
}

function validateSpec({ type, limited, exempt }: PriorityLevelConfigurationSpec, name: string, errors: FieldErrors): void {
  if ((name === 'exempt') !== (type === 'Exempt')) errors.invalid('spec.type', asJson(type), "must be 'Exempt' if and only if `name` is 'exempt'");
  switch (type) {
    case 'Exempt':
      if (limited !== undefined) errors.forbidden('spec.limited', 'must be nil if the type is not Limited');
      if (exempt !== undefined) validateExempt(exempt, errors);
      break;
    case 'Limited':
      if (exempt !== undefined) errors.forbidden('spec.exempt', 'must be nil if the type is Limited');
      if (limited === undefined) errors.required('spec.limited', 'must not be empty when type is Limited');
      else validateLimited(limited, errors);
      break;
    default:
      validateChoice(type, ['Exempt', 'Limited'], 'spec.type', errors);
  }
}

function validateExempt({ nominalConcurrencyShares, lendablePercent }: ExemptPriorityLevelConfiguration, errors: FieldErrors): void {
  validateShares(nominalConcurrencyShares, 'spec.exempt', errors);
  validateLendable(lendablePercent, 'spec.exempt', errors);
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, errors: FieldErrors): void {
  validateShares(limited.nominalConcurrencyShares, 'spec.limited', errors);
  validateLimitResponse(limited.limitResponse, 'spec.limited.limitResponse', errors);
  validateLendable(limited.lendablePercent, 'spec.limited', errors);
  const borrowing = limited.borrowingLimitPercent;
  if (borrowing !== undefined && borrowing < 0) {
    errors.invalid('spec.limited.borrowingLimitPercent', borrowing, 'if specified, must be a non-negative integer');
  }
}

function validateShares(shares: number | undefined, path: string, errors: FieldErrors): void {
  if (shares !== undefined && shares < 0) errors.invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer');
}

function validateLendable(percent: number | undefined, path: string, errors: FieldErrors): void {
  if (percent !== undefined && (percent < 0 || percent > 100)) errors.invalid(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive');
}

/** `Limited` in the texts is upstream's slip. */
function validateLimitResponse({ type, queuing }: LimitResponse, path: string, errors: FieldErrors): void {
  if (type === 'Reject') {
    if (queuing !== undefined) errors.forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited');
  } else if (type === 'Queue') {
    if (queuing === undefined) errors.required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited');
    else validateQueuing(queuing, `${path}.queuing`, errors);
  } else validateChoice(type, ['Queue', 'Reject'], `${path}.type`, errors);
}

const maxQueues = 10_000_000;
const maxEntropyBits = 60;

function validateQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: QueuingConfiguration, path: string, errors: FieldErrors): void {
  if (queueLengthLimit <= 0) errors.invalid(`${path}.queueLengthLimit`, queueLengthLimit, 'must be positive');
  if (queues <= 0) errors.invalid(`${path}.queues`, queues, 'must be positive');
  else if (queues > maxQueues) errors.invalid(`${path}.queues`, queues, `must not be greater than ${maxQueues}`);
  if (handSize <= 0) errors.invalid(`${path}.handSize`, handSize, 'must be positive');
  else if (handSize > queues) errors.invalid(`${path}.handSize`, handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * handSize) > maxEntropyBits) {
    const text = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxEntropyBits}`;
    errors.invalid(`${path}.handSize`, handSize, text);
  }
}

export const priorityLevelColumns: readonly Column<PriorityLevelConfiguration>[] = [
  nameColumn(),
  { name: 'Type', type: 'string', read: ({ spec }) => spec.type },
  { name: 'NominalConcurrencyShares', type: 'string', read: ({ spec }) => spec.limited?.nominalConcurrencyShares ?? '<none>' },
  { name: 'Queues', type: 'string', read: ({ spec }) => spec.limited?.limitResponse.queuing?.queues ?? '<none>' },
  { name: 'HandSize', type: 'string', read: ({ spec }) => spec.limited?.limitResponse.queuing?.handSize ?? '<none>' },
  { name: 'QueueLengthLimit', type: 'string', read: ({ spec }) => spec.limited?.limitResponse.queuing?.queueLengthLimit ?? '<none>' },
  ageColumn(),
];
