// Names of certificate signers (`example.com/signer`) and of the trust bundles bound to them (`example.com:signer:name`).
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems, dns1123SubdomainProblems, type NameRule, nameIsSubdomain } from '#base/formats.ts';
import { goQuote } from '#base/go-text.ts';

const maxDomain = 253;
const maxSignerName = maxDomain + 1 + 253 + 63 + 1;

export function validateSignerName(name: string, path: string, errors: FieldErrors): void {
  if (name === '') return errors.required(path);
  const [domain = '', signer = '', ...more] = name.split('/');
  if (more.length > 0 || !name.includes('/')) {
    return errors.invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  }
  if (byteLength(domain) > maxDomain) errors.tooLong(path, maxDomain);
  validateParts(domain, dns1123LabelProblems, path, errors);
  if (!domain.includes('.')) errors.invalid(path, domain, 'should be a domain with at least two segments separated by dots');
  validateParts(signer, dns1123SubdomainProblems, path, errors);
  if (byteLength(name) > maxSignerName) errors.tooLong(path, maxSignerName);
}

/** Only the first bad part is reported. */
function validateParts(value: string, check: (part: string) => readonly string[], path: string, errors: FieldErrors): void {
  for (const part of value.split('.')) {
    const problems = check(part);
    for (const problem of problems) errors.invalid(path, value, `validating label ${goQuote(part)}: ${problem}`);
    if (problems.length > 0) return;
  }
}

export function isKubernetesSigner(name: string): boolean {
  const domain = name.split('/', 1)[0] ?? '';
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
}

export function trustBundleNameRule(signerName: string): NameRule {
  const required = `${signerName.replaceAll('/', ':')}:`;
  return (name, prefix) => {
    if (signerName === '') {
      return name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : nameIsSubdomain(name, prefix);
    }
    if (!name.startsWith(required)) return [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${required}`];
    return nameIsSubdomain(name.slice(required.length), prefix);
  };
}

/** The signer that a bundle's name speaks of; empty when it speaks of none. */
export function signerOfTrustBundle(name: string): string {
  const end = name.lastIndexOf(':');
  return end < 0 ? '' : name.slice(0, end).replaceAll(':', '/');
}
