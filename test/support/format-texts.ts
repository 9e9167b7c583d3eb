// The long texts of format checks, so that tables of refusals stay readable.

const letter = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

export function notSubdomain(value: string): string {
  return `Invalid value: ${JSON.stringify(value)}: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;
}

export function notLabel(value: string): string {
  return `Invalid value: ${JSON.stringify(value)}: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;
}

/** Qualified names: keys of labels, names of resources. */
export function notKey(value: string): string {
  return `Invalid value: ${JSON.stringify(value)}: name part must consist of ${letter} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
}

export function notLabelValue(value: string): string {
  return `Invalid value: ${JSON.stringify(value)}: a valid label must be an empty string or consist of ${letter} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
}

export function notIp(value: string): string {
  return `Invalid value: ${JSON.stringify(value)}: must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`;
}

export function notCidr(value: string): string {
  return `Invalid value: ${JSON.stringify(value)}: must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`;
}

export const notPort = 'must be between 1 and 65535, inclusive';
