// The rules of custom resource definitions. Parts that all versions share stand at the top of the original's internal form,
// and that is where their errors are reported: `spec.validation`, `spec.subresources` …
import { approvalKey, approvalOf, isProtectedGroup } from '#kinds/apiextensions/v1/api-approval.ts';
import type { FieldError, FieldErrors } from '#api/field-error.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { byteLength, dns1035LabelProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import { isPrintable } from '#base/go-text.ts';
import { validateConversion } from '#kinds/apiextensions/v1/conversion-validation.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
} from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import {
  type AcceptedSchemaOptions,
  type DefaultProblems,
  schemaDefaultProblems,
  validateAcceptedSchema,
  validateSelectableFields,
} from '#kinds/apiextensions/v1/custom-resource-schema-validation.ts';
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { versionForm } from '#kinds/apiextensions/v1/json-schema-form.ts';
import { surveyOf } from '#kinds/apiextensions/v1/json-schema-survey.ts';
import { someSchema } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { judgePatterns } from '#kinds/apiextensions/v1/schema-pattern-problems.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateChoice, validateImmutable } from '#kinds/rules/values.ts';
import { validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';
import { firstBy } from '#kinds/rules/first-by.ts';

export function validateDefinition(definition: CustomResourceDefinition, errors: FieldErrors): MaybePromise<void> {
  return andThen(defaultsIn(definition), (defaults) => validateNew(definition, defaults, errors));
}

/** Judged first, and the patterns before them: the rules that defaults must keep may take a while, as patterns may. */
function defaultsIn({ spec }: CustomResourceDefinition): MaybePromise<DefaultProblems> {
  const { common, versions } = sharedParts(spec.versions ?? []);
  const schemas = [common, ...versions].flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
  const problems = new Map<JSONSchemaProps, readonly FieldError[]>();
  const judge = (schema: JSONSchemaProps) =>
    andThen(
      andThen(judgePatterns(schema), () => schemaDefaultProblems(schema)),
      (found) => void problems.set(schema, found),
    );
  const judged = schemas.reduce<MaybePromise<void>>((before, schema) => andThen(before, () => judge(schema)), undefined);
  return andThen(judged, () => problems);
}

function validateNew(definition: CustomResourceDefinition, defaults: DefaultProblems, errors: FieldErrors): void {
  const { metadata, spec } = definition;
  const required = `${spec.names.plural}.${spec.group}`;
  const name = (given: string, prefix: boolean) => [
    ...nameIsSubdomain(given, prefix),
    ...(given === required ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
  validateMetadata(metadata, { namespaced: false, name }, 'metadata', errors);
  validateSpec(spec, { old: undefined, defaults }, errors);
  validateRest(definition, undefined, errors);
}

export function validateDefinitionUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition, errors: FieldErrors): MaybePromise<void> {
  return andThen(defaultsIn(definition), (defaults) => validateChanged(definition, { old, defaults }, errors));
}

interface Changed {
  readonly old: CustomResourceDefinition;
  readonly defaults: DefaultProblems;
}

function validateChanged(definition: CustomResourceDefinition, { old, defaults }: Changed, errors: FieldErrors): void {
  const { metadata, spec } = definition;
  validateMetadataUpdate(metadata, old.metadata, 'metadata', errors);
  validateSpec(spec, { old, defaults }, errors);
  if (isEstablished(old)) {
    validateImmutable(spec.scope, old.spec.scope, 'spec.scope', errors);
    validateImmutable(spec.names.kind, old.spec.names.kind, 'spec.names.kind', errors);
  }
  validateImmutable(spec.group, old.spec.group, 'spec.group', errors);
  validateImmutable(spec.names.plural, old.spec.names.plural, 'spec.names.plural', errors);
  validateRest(definition, old, errors);
}

export function validateDefinitionStatusUpdate({ metadata, status }: CustomResourceDefinition, old: CustomResourceDefinition, errors: FieldErrors): void {
  validateMetadataUpdate(metadata, old.metadata, 'metadata', errors);
  validateNames(status.acceptedNames, 'status.acceptedNames', errors);
}

function isEstablished({ status }: CustomResourceDefinition): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === 'Established' && condition.status === 'True');
}

function validateRest(definition: CustomResourceDefinition, old: CustomResourceDefinition | undefined, errors: FieldErrors): void {
  const { spec, status } = definition;
  validateNames(status.acceptedNames, 'status.acceptedNames', errors);
  validateStoredVersions(status.storedVersions ?? [], spec.versions ?? [], errors);
  validateApproval(definition, old, errors);
  if (spec.preserveUnknownFields && !old?.spec.preserveUnknownFields) {
    const text = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.invalid('spec.preserveUnknownFields', true, text);
  }
}

function validateStoredVersions(stored: readonly string[], versions: readonly CustomResourceDefinitionVersion[], errors: FieldErrors): void {
  const path = 'status.storedVersions';
  if (stored.length === 0) return errors.invalid(path, null, 'must have at least one stored version');
  // A version that is there twice is found once.
  const missing = new Set(stored);
  for (const { name, storage } of versions) if (!missing.delete(name) && storage) errors.invalid(path, stored, `must have the storage version ${name}`);
  const names = new Set(versions.map(({ name }) => name));
  stored.forEach((name, index) => {
    if (names.has(name)) return;
    const until = `until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.invalid(
      `${path}[${index}]`,
      name,
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions ${until}`,
    );
  });
}

function validateApproval(definition: CustomResourceDefinition, old: CustomResourceDefinition | undefined, errors: FieldErrors): void {
  if (!isProtectedGroup(definition.spec.group)) return;
  const approval = approvalOf(definition);
  if (old !== undefined && approvalOf(old) === approval) return;
  const path = `metadata.annotations[${approvalKey}]`;
  const head = `protected groups must have approval annotation "${approvalKey}"`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (approval === 'missing') errors.required(path, `${head}, ${see}`);
  const given = definition.metadata.annotations?.[approvalKey];
  if (approval === 'invalid') errors.invalid(path, given, `${head} with either a URL or a reason starting with "unapproved", ${see}`);
}

/** The parts of versions; those that are the same in all of them are taken out. */
interface Shared {
  readonly common: Pick<CustomResourceDefinitionVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

const shareable = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

function sharedParts(versions: readonly CustomResourceDefinitionVersion[]): Shared {
  const [first] = versions;
  const common: Partial<CustomResourceDefinitionVersion> = {};
  const rest = versions.map((version) => ({ ...version }));
  for (const part of shareable) {
    if (first?.[part] === undefined || !versions.every((version) => semanticEqual(version[part], first[part]))) continue;
    Object.assign(common, { [part]: first[part] });
    for (const version of rest) delete version[part];
  }
  return { common, versions: rest };
}

interface SpecSurroundings {
  readonly old: CustomResourceDefinition | undefined;
  readonly defaults: DefaultProblems;
}

function validateSpec(spec: CustomResourceDefinitionSpec, { old, defaults }: SpecSurroundings, errors: FieldErrors): void {
  const all = spec.versions ?? [];
  const { common, versions } = sharedParts(all);
  validateGroup(spec.group, errors);
  validateChoice(spec.scope, ['Cluster', 'Namespaced'], 'spec.scope', errors);
  if (common.schema?.openAPIV3Schema === undefined) {
    versions.forEach(({ schema }, index) => {
      if (schema?.openAPIV3Schema === undefined) errors.required(`spec.versions[${index}].schema.openAPIV3Schema`);
    });
  }
  const hasDefaults = all.some(({ schema }) => schema?.openAPIV3Schema !== undefined && surveyOf(schema.openAPIV3Schema).givesDefaults);
  if (hasDefaults && spec.preserveUnknownFields) {
    errors.invalid('spec.preserveUnknownFields', true, 'must be false in order to use defaults in the schema');
  }
  const judged = schemaJudgement(all, old?.spec.versions ?? [], defaults);
  versions.forEach((version, index) => validateVersion(version, common.subresources, judged(version.name), `spec.versions[${index}]`, errors));
  validateVersionList(versions, errors, wasGivenEmpty(spec, 'versions') ? [] : null);
  validateSpecNames(spec.names, errors);
  const hasStatus = all.some(({ subresources }) => subresources?.status !== undefined);
  if (common.schema !== undefined) validateAcceptedSchema(common.schema, { ...judged(all[0]?.name ?? ''), hasStatus }, 'spec.validation', errors);
  validateParts(common, 'spec', errors);
  if (common.selectableFields !== undefined) validateSharedSelectable(common, all, errors);
  if (spec.preserveUnknownFields && spec.conversion !== undefined && spec.conversion.strategy !== 'None') {
    errors.invalid('spec.conversion.strategy', spec.conversion.strategy, 'must be None if spec.preserveUnknownFields is true');
  }
  validateConversion(spec.conversion, old?.spec.conversion, old !== undefined && isEstablished(old), errors);
}

function validateSharedSelectable(
  { schema, selectableFields = [] }: Shared['common'],
  all: readonly CustomResourceDefinitionVersion[],
  errors: FieldErrors,
): void {
  const path = 'spec.selectableFields';
  if (schema === undefined && all.length > 0) return errors.invalid(path, '', 'may only be set when validations.schema is included');
  validateSelectableFields(selectableFields, schema?.openAPIV3Schema ?? {}, path, errors);
}

function validateGroup(group: string, errors: FieldErrors): void {
  const problems = dns1123SubdomainProblems(group);
  if (group === '') errors.required('spec.group');
  else if (problems.length > 0) errors.invalid('spec.group', group, problems.join(','));
  else if (!group.includes('.')) errors.invalid('spec.group', group, 'should be a domain with at least one dot');
}

type Judgement = Omit<AcceptedSchemaOptions, 'hasStatus'>;

/** How strictly the rules of a version are judged: what is stored already was accepted once. */
function schemaJudgement(
  versions: readonly CustomResourceDefinitionVersion[],
  old: readonly CustomResourceDefinitionVersion[],
  defaults: DefaultProblems,
): (version: string) => Judgement {
  const stored = new Set<string>();
  for (const { schema } of old) {
    someSchema(schema?.openAPIV3Schema, (part) => {
      for (const { rule, messageExpression } of part['x-kubernetes-validations'] ?? []) stored.add(rule).add(messageExpression ?? '');
      return false;
    });
  }
  const ageOf = (expression: string) => (stored.has(expression) ? 'stored' : 'new');
  const [oldByName, byName] = [firstBy(old, ({ name }) => name), firstBy(versions, ({ name }) => name)];
  return (name) => {
    const before = oldByName.get(name)?.schema;
    const isUnchanged = before !== undefined && semanticEqual(byName.get(name)?.schema, before);
    return { ageOf, isUnchanged, defaults };
  };
}

function validateVersion(
  version: CustomResourceDefinitionVersion,
  shared: CustomResourceSubresources | undefined,
  judged: Judgement,
  path: string,
  errors: FieldErrors,
): void {
  const problems = dns1035LabelProblems(version.name);
  if (problems.length > 0) errors.invalid(`${path}.name`, version.name, problems.join(','));
  const { deprecationWarning } = version;
  for (const problem of deprecationProblems(version)) errors.invalid(`${path}.deprecationWarning`, deprecationWarning, problem);
  const hasStatus = (version.subresources ?? shared)?.status !== undefined;
  if (version.schema !== undefined) validateAcceptedSchema(version.schema, { ...judged, hasStatus }, `${path}.schema`, errors);
  validateParts(version, path, errors);
  if (!version.selectableFields?.length) return;
  const schema = version.schema?.openAPIV3Schema;
  if (schema === undefined) errors.invalid(`${path}.selectableFields`, '', 'may only be set when `version.schema.openAPIV3Schema` is not included');
  else validateSelectableFields(version.selectableFields, schema, `${path}.selectableFields`, errors);
}

function deprecationProblems({ deprecated, deprecationWarning: warning }: CustomResourceDefinitionVersion): string[] {
  if (warning === undefined) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const problems: string[] = [];
  if (byteLength(warning) > 256) problems.push('must be <= 256 characters long');
  if (warning === '') problems.push('must not be an empty string');
  const bad = [...warning].findIndex((character) => !isPrintable(character));
  if (bad >= 0) {
    const index = byteLength([...warning].slice(0, bad).join(''));
    problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
  return problems;
}

function validateVersionList(versions: readonly CustomResourceDefinitionVersion[], errors: FieldErrors, none: [] | null): void {
  const refuse = (why: string) => errors.invalid('spec.versions', versions.length === 0 ? none : versions.map(versionForm), why);
  if (new Set(versions.map(({ name }) => name)).size < versions.length) refuse('must contain unique version names');
  if (versions.filter(({ storage }) => storage).length !== 1) refuse('must have exactly one version marked as storage version');
  const first = versions[0]?.name ?? '';
  const problems = first === '' ? [] : dns1035LabelProblems(first);
  if (problems.length > 0) errors.invalid('spec.version', first, problems.join(','));
}

function validateParts({ subresources, additionalPrinterColumns }: Partial<CustomResourceDefinitionVersion>, path: string, errors: FieldErrors): void {
  if (subresources?.scale !== undefined) validateScale(subresources.scale, `${path}.subresources.scale`, errors);
  additionalPrinterColumns?.forEach((column, index) => validateColumn(column, `${path}.additionalPrinterColumns[${index}]`, errors));
}

function validateScale(scale: NonNullable<CustomResourceSubresources['scale']>, path: string, errors: FieldErrors): void {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  if (specReplicasPath === '') errors.required(`${path}.specReplicasPath`);
  else validatePathUnder(specReplicasPath, ['.spec.'], 'should be a json path under .spec', `${path}.specReplicasPath`, errors);
  if (statusReplicasPath === '') errors.required(`${path}.statusReplicasPath`);
  else validatePathUnder(statusReplicasPath, ['.status.'], 'should be a json path under .status', `${path}.statusReplicasPath`, errors);
  if (!labelSelectorPath) return;
  const either = 'should be a json path under either .spec or .status';
  validatePathUnder(labelSelectorPath, ['.spec.', '.status.'], either, `${path}.labelSelectorPath`, errors);
}

function validatePathUnder(text: string, roots: readonly string[], problem: string, path: string, errors: FieldErrors): void {
  if (!text.startsWith('.')) errors.invalid(path, text, 'must be a simple json path starting with .');
  else if (!roots.some((root) => text.startsWith(root))) errors.invalid(path, text, problem);
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

function validateColumn({ name, type, format = '', jsonPath }: CustomResourceColumnDefinition, path: string, errors: FieldErrors): void {
  if (name === '') errors.required(`${path}.name`);
  const oneOf = `must be one of ${columnTypes.join(',')}`;
  if (type === '') errors.required(`${path}.type`, oneOf);
  else if (!columnTypes.includes(type)) errors.invalid(`${path}.type`, type, oneOf);
  if (format !== '' && !columnFormats.includes(format)) errors.invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`);
  if (jsonPath === '') errors.required(`${path}.JSONPath`);
  else if (!jsonPath.startsWith('.')) errors.invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .');
}

function validateSpecNames(names: CustomResourceDefinitionNames, errors: FieldErrors): void {
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) if (!names[field]) errors.required(`spec.names.${field}`);
  validateNames(names, 'spec.names', errors);
}

function validateNames(names: CustomResourceDefinitionNames, path: string, errors: FieldErrors): void {
  for (const field of ['plural', 'singular'] as const) validateLabel(names[field], `${path}.${field}`, errors);
  for (const field of ['kind', 'listKind'] as const) {
    const value = names[field] ?? '';
    const problems = value === '' ? [] : dns1035LabelProblems(value.toLowerCase());
    if (problems.length > 0) errors.invalid(`${path}.${field}`, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
  }
  names.shortNames?.forEach((name, index) => validateLabel(name, `${path}.shortNames[${index}]`, errors, true));
  if (names.kind !== '' && names.kind === names.listKind) errors.invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same');
  names.categories?.forEach((name, index) => validateLabel(name, `${path}.categories[${index}]`, errors, true));
}

function validateLabel(value: string | undefined, path: string, errors: FieldErrors, emptyToo = false): void {
  if (!value && !emptyToo) return;
  const problems = dns1035LabelProblems(value ?? '');
  if (problems.length > 0) errors.invalid(path, value, problems.join(','));
}
