import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { countGeneration } from '#kinds/rules/generation.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { CSIDriver, CSIDriverSpec, TokenRequest } from '#kinds/storage/v1/csi-driver.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

export function defaultCsiDriverSpec(spec: CSIDriverSpec): void {
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
  if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

export const csiDriverStrategy: Strategy<CSIDriver> = {
  returnsDeleted: true,
  allowUnconditionalUpdate: false,
  prepareForCreate({ spec }, context) {
    settleGatedFields(spec, undefined, context);
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, false, nameIsSubdomain, errors);
    validateSpec(spec, errors);
  },
  warnOnCreate: ({ spec }) => tokenWarnings(spec),

  prepareForUpdate({ metadata, spec }, old, context) {
    settleGatedFields(spec, old.spec, context);
    countGeneration(metadata, old.metadata, spec, old.spec);
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateSpec(spec, errors);
    // The original misspells the name of the field.
    validateImmutable(spec.attachRequired, old.spec.attachRequired, 'spec.attachedRequired', errors);
    validateImmutable(spec.volumeLifecycleModes, old.spec.volumeLifecycleModes, 'spec.volumeLifecycleModes', errors);
  },
  warnOnUpdate: ({ spec }, old) => (semanticEqual(spec.tokenRequests, old.spec.tokenRequests) ? [] : tokenWarnings(spec)),
};

function settleGatedFields(spec: CSIDriverSpec, old: CSIDriverSpec | undefined, { gate }: StrategyContext): void {
  if (gate('VolumeLimitScaling')) spec.preventPodSchedulingIfMissing ??= false;
  else if (old?.preventPodSchedulingIfMissing === undefined) delete spec.preventPodSchedulingIfMissing;
}

function tokenWarnings({ tokenRequests = [], serviceAccountTokenInSecrets }: CSIDriverSpec): readonly string[] {
  if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  return [
    'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
  ];
}

function validateSpec(spec: CSIDriverSpec, errors: FieldErrors): void {
  const { fsGroupPolicy, nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets, tokenRequests = [] } = spec;
  const policies = ['File', 'None', 'ReadWriteOnceWithFSType'];
  if (fsGroupPolicy !== undefined && !policies.includes(fsGroupPolicy)) errors.notSupported('spec.fsGroupPolicy', fsGroupPolicy, policies);
  validateTokenRequests(tokenRequests, 'spec.tokenRequests', errors);
  const modes = ['Persistent', 'Ephemeral'];
  for (const mode of spec.volumeLifecycleModes ?? []) if (!modes.includes(mode)) errors.notSupported('spec.volumeLifecycleModes', mode, modes);
  if (period !== undefined && period < 10) {
    errors.invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, 'must be greater than or equal to 10 seconds');
  }
  if (inSecrets !== undefined && tokenRequests.length === 0) {
    errors.invalid('spec.serviceAccountTokenInSecrets', inSecrets, 'serviceAccountTokenInSecrets is set but no tokenRequests are specified');
  }
}

function validateTokenRequests(requests: readonly TokenRequest[], path: string, errors: FieldErrors): void {
  const audiences = new Set<string>();
  requests.forEach(({ audience, expirationSeconds }, index) => {
    const at = `${path}[${index}]`;
    if (audiences.has(audience)) return errors.duplicate(`${at}.audience`, audience);
    audiences.add(audience);
    if (expirationSeconds === undefined) return;
    if (expirationSeconds < 600) errors.invalid(`${at}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes');
    if (expirationSeconds > 2 ** 32) errors.invalid(`${at}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  });
}

export const csiDriverColumns: readonly Column<CSIDriver>[] = [
  nameColumn(),
  { name: 'AttachRequired', type: 'boolean', read: ({ spec }) => spec.attachRequired ?? true },
  { name: 'PodInfoOnMount', type: 'boolean', read: ({ spec }) => spec.podInfoOnMount ?? false },
  { name: 'StorageCapacity', type: 'boolean', read: ({ spec }) => spec.storageCapacity ?? false },
  { name: 'TokenRequests', type: 'string', read: ({ spec }) => spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>' },
  { name: 'RequiresRepublish', type: 'boolean', read: ({ spec }) => spec.requiresRepublish ?? false },
  { name: 'Modes', type: 'string', read: ({ spec }) => spec.volumeLifecycleModes?.join(',') || '<none>' },
  ageColumn(),
];
