// The rules of how a definition converts between its versions. Paths are those of the original's internal form.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1035LabelProblems } from '#base/formats.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import { repeatedAt } from '#base/repeated.ts';
import type { CustomResourceConversion } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { validateChoice } from '#kinds/rules/values.ts';
import { validateWebhookClient } from '#kinds/rules/webhook-clients.ts';

const knownVersions = ['v1', 'v1beta1'];
const path = 'spec.conversion';

type Conversion = CustomResourceConversion | undefined;

export function validateConversion(conversion: Conversion, old: Conversion, established: boolean, errors: FieldErrors): void {
  if (conversion === undefined) return;
  const { strategy, webhook } = conversion;
  const client = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  validateChoice(strategy, ['None', 'Webhook'], `${path}.strategy`, errors);
  if (strategy !== 'Webhook') {
    const text = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined) errors.forbidden(`${path}.webhookClientConfig`, text);
    if (versions.length > 0) errors.forbidden(`${path}.conversionReviewVersions`, text);
    return;
  }
  if (client === undefined) errors.required(`${path}.webhookClientConfig`, 'required when strategy is set to Webhook');
  else validateWebhookClient(client, `${path}.webhookClientConfig`, errors);
  if (client?.caBundle && established && !isBadBundle(old?.webhook?.clientConfig?.caBundle) && isBadBundle(client.caBundle)) {
    errors.invalid(`${path}.webhookClientConfig.caBundle`, client.caBundle, 'unable to load root certificates: unable to parse bytes as PEM block');
  }
  const stored = old?.webhook?.conversionReviewVersions ?? [];
  const wantsKnown = stored.length === 0 || stored.some((version) => knownVersions.includes(version));
  validateReviewVersions(versions, wantsKnown, errors);
}

/** A bundle in which no certificate is found. */
export function isBadBundle(bundle: string | undefined): boolean {
  return Boolean(bundle) && pemBlocks(Buffer.from(bundle ?? '', 'base64')).every(({ type }) => type !== 'CERTIFICATE');
}

function validateReviewVersions(versions: readonly string[], wantsKnown: boolean, errors: FieldErrors): void {
  const at = `${path}.conversionReviewVersions`;
  if (versions.length === 0) return errors.required(at);
  const repeated = repeatedAt(versions);
  versions.forEach((version, index) => {
    if (repeated[index]) errors.invalid(`${at}[${index}]`, version, 'duplicate version');
    else errors.invalidEach(`${at}[${index}]`, version, dns1035LabelProblems(version));
  });
  if (wantsKnown && !versions.some((version) => knownVersions.includes(version))) {
    errors.invalid(at, versions, `must include at least one of ${knownVersions.join(', ')}`);
  }
}
