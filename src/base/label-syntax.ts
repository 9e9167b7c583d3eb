// What a label key and a label value may look like, in the words of the original.

const nameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const nameRule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameHint = `${nameRule} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${nameFormat}')`;
const namePattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const valueFormat = `(${nameFormat})?`;
const valueHint = `a valid label must be an empty string or ${nameRule.slice('must '.length)} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${valueFormat}')`;

const subdomainFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const subdomainHint = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainFormat}')`;
const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const none: readonly string[] = [];
/** Almost every key there is; the lengths of both parts are then within bounds too. */
const usualKey = /^(?:[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Nothing when the key is fine. */
export function labelKeyProblems(key: string): readonly string[] {
  if (key.length <= 63 && usualKey.test(key)) return none;
  const parts = key.split('/');
  if (parts.length > 2) return [`a valid label key ${nameHint} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = parts.at(-1) ?? '';
  return [...(parts.length === 2 ? prefixProblems(parts[0] ?? '') : []), ...nameProblems(name)];
}

/** Nothing when the value is fine. */
export function labelValueProblems(value: string): readonly string[] {
  if (value === '' || (value.length <= 63 && namePattern.test(value))) return none;
  const problems: string[] = [];
  if (Buffer.byteLength(value) > 63) problems.push('must be no more than 63 bytes');
  if (value !== '' && !namePattern.test(value)) problems.push(valueHint);
  return problems;
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const problems: string[] = [];
  if (Buffer.byteLength(prefix) > 253) problems.push('prefix part must be no more than 253 bytes');
  if (!subdomainPattern.test(prefix)) problems.push(`prefix part ${subdomainHint}`);
  return problems;
}

function nameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name === '') problems.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > 63) problems.push('name part must be no more than 63 bytes');
  if (!namePattern.test(name)) problems.push(`name part ${nameHint}`);
  return problems;
}
