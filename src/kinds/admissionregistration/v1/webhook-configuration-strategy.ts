// How the two kinds of webhook configurations are written, judged and shown.
import { ExpressionChecks, expressionsIn } from '#kinds/admissionregistration/v1/expression-validation.ts';
import type { FieldErrors } from '#api/field-error.ts';
import { dns1035LabelProblems, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import type { ObjectMeta } from '#api/object.ts';
import { repeatedAt } from '#base/repeated.ts';
import { validateMatchConditions } from '#kinds/admissionregistration/v1/match-condition-validation.ts';
import type { MutatingWebhook, MutatingWebhookConfiguration } from '#kinds/admissionregistration/v1/mutating-webhook-configuration.ts';
import { matchPolicies, validateRule } from '#kinds/admissionregistration/v1/rule-validation.ts';
import type { ValidatingWebhook, ValidatingWebhookConfiguration } from '#kinds/admissionregistration/v1/validating-webhook-configuration.ts';
import { withReservedNames } from '#kinds/admissionregistration/v1/static-names.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { countGenerationExactly, startGeneration } from '#kinds/rules/generation.ts';
import { hasInvalidLabelValue, validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateWebhookClient } from '#kinds/rules/webhook-clients.ts';
import type { Column } from '#resource/column.ts';
import { validateMetadata } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;

interface Configuration {
  readonly metadata: ObjectMeta;
  readonly webhooks?: readonly Webhook[] | undefined;
}

export const validatingWebhooksStrategy: Strategy<ValidatingWebhookConfiguration> = withReservedNames(strategy());
export const mutatingWebhooksStrategy: Strategy<MutatingWebhookConfiguration> = withReservedNames(strategy());

function strategy<T extends Configuration>(): Strategy<T> {
  return {
    allowUnconditionalUpdate: false,
    prepareForCreate: ({ metadata }) => startGeneration(metadata),
    validate: (configuration, errors) => validateConfiguration(configuration, errors, strict),
    prepareForUpdate: (configuration, old) => countGenerationExactly(configuration, old, 'webhooks'),
    validateUpdate: (configuration, old, errors) => validateConfiguration(configuration, errors, rulesAfter(configuration.webhooks ?? [], old.webhooks ?? [])),
  };
}

/** What is demanded; an update may keep what the stored object already does wrong. */
interface Rules {
  readonly conditions: boolean;
  readonly noSideEffects: boolean;
  readonly knownVersion: boolean;
  readonly uniqueNames: boolean;
  readonly anyLabelValue: boolean;
  readonly stored: ReadonlySet<string>;
}

const strict: Rules = { conditions: true, noSideEffects: true, knownVersion: true, uniqueNames: true, anyLabelValue: false, stored: new Set() };

function rulesAfter(webhooks: readonly Webhook[], old: readonly Webhook[]): Rules {
  const conditionsOf = (list: readonly Webhook[]) => list.map(({ matchConditions }) => matchConditions ?? []);
  return {
    conditions: !semanticEqual(conditionsOf(webhooks), conditionsOf(old)),
    noSideEffects: old.every(({ sideEffects }) => noEffects.includes(sideEffects ?? '')),
    knownVersion: old.every(({ admissionReviewVersions }) => !admissionReviewVersions?.length || hasKnownVersion(admissionReviewVersions)),
    uniqueNames: new Set(old.map(({ name }) => name)).size === old.length,
    anyLabelValue: old.some(({ namespaceSelector, objectSelector }) => hasInvalidLabelValue(namespaceSelector) || hasInvalidLabelValue(objectSelector)),
    stored: expressionsIn(old),
  };
}

function validateConfiguration({ metadata, webhooks = [] }: Configuration, errors: FieldErrors, rules: Rules): void {
  validateMetadata(metadata, { namespaced: false, name: nameIsSubdomain }, 'metadata', errors);
  const names = new Set<string>();
  webhooks.forEach((webhook, index) => {
    const path = `webhooks[${index}]`;
    validateWebhook(webhook, path, errors, rules);
    validateReviewVersions(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`, errors, rules.knownVersion);
    if (rules.uniqueNames && names.has(webhook.name)) errors.duplicate(`${path}.name`, webhook.name);
    if (webhook.name !== '') names.add(webhook.name);
  });
}

const noEffects = ['None', 'NoneOnDryRun'];
const allEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];

function validateWebhook(webhook: Webhook, path: string, errors: FieldErrors, rules: Rules): void {
  const { name, failurePolicy, matchPolicy, sideEffects, timeoutSeconds, reinvocationPolicy } = webhook;
  validateQualifiedName(name, `${path}.name`, errors);
  webhook.rules?.forEach((rule, index) => validateRule(rule, `${path}.rules[${index}]`, errors));
  validateSupported(failurePolicy, ['Fail', 'Ignore'], `${path}.failurePolicy`, errors);
  validateSupported(matchPolicy, matchPolicies, `${path}.matchPolicy`, errors);
  const effects = rules.noSideEffects ? noEffects : allEffects;
  if (sideEffects === undefined) errors.required(`${path}.sideEffects`, `must specify one of ${effects.join(', ')}`);
  validateSupported(sideEffects, effects, `${path}.sideEffects`, errors);
  if (timeoutSeconds !== undefined && (timeoutSeconds > 30 || timeoutSeconds < 1)) {
    errors.invalid(`${path}.timeoutSeconds`, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds');
  }
  const selectors = { anyValue: rules.anyLabelValue };
  validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`, errors, selectors);
  validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`, errors, selectors);
  validateSupported(reinvocationPolicy, ['IfNeeded', 'Never'], `${path}.reinvocationPolicy`, errors);
  validateWebhookClient(webhook.clientConfig, `${path}.clientConfig`, errors);
  if (!rules.conditions) return;
  const checks = new ExpressionChecks({ hasParams: false, stored: rules.stored, composed: false });
  validateMatchConditions(webhook.matchConditions ?? [], checks, `${path}.matchConditions`, errors);
}

function validateSupported(value: string | undefined, supported: readonly string[], path: string, errors: FieldErrors): void {
  if (value !== undefined && !supported.includes(value)) errors.notSupported(path, value, supported);
}

function validateQualifiedName(name: string, path: string, errors: FieldErrors): void {
  if (name === '') return errors.required(path);
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) errors.invalid(path, name, problems.join(','));
  else if (name.split('.').length < 3) errors.invalid(path, name, 'should be a domain with at least three segments separated by dots');
}

const knownVersions = ['v1', 'v1beta1'];

function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => knownVersions.includes(version));
}

function validateReviewVersions(versions: readonly string[], path: string, errors: FieldErrors, wantsKnown: boolean): void {
  if (versions.length === 0) return errors.required(path, `must specify one of ${knownVersions.join(', ')}`);
  const repeated = repeatedAt(versions);
  versions.forEach((version, index) => {
    if (repeated[index]) errors.invalid(`${path}[${index}]`, version, 'duplicate version');
    else errors.invalidEach(`${path}[${index}]`, version, dns1035LabelProblems(version));
  });
  if (wantsKnown && !hasKnownVersion(versions)) errors.invalid(path, versions, `must include at least one of ${knownVersions.join(', ')}`);
}

export const webhooksColumns: readonly Column<Configuration>[] = [
  nameColumn(),
  { name: 'Webhooks', type: 'integer', read: ({ webhooks }) => webhooks?.length ?? 0 },
  ageColumn(),
];
