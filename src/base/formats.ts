// The formats of names and other short texts. Each check answers with the problems in the words of the original; none means fine.
// The patterns are the original's and match in linear time.

const none: readonly string[] = [];

/** A rule for a name: its problems. `prefix` is true for a generateName, to which characters will be added. */
export type NameRule = (name: string, prefix: boolean) => readonly string[];

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const label1123Pattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const label1123Rule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";

export function dns1123LabelProblems(value: string): readonly string[] {
  if (value.length <= 63 && label1123Pattern.test(value)) return none;
  const problems: string[] = [];
  if (byteLength(value) > 63) problems.push(tooLong(63));
  if (!label1123Pattern.test(value)) {
    // A fine subdomain that is no label has dots.
    problems.push(subdomainPattern.test(value) ? 'must not contain dots' : regexHint(label1123Rule, label1123, 'my-name', '123-abc'));
  }
  return problems;
}

const subdomain = `${label1123}(\\.${label1123})*`;
const subdomainPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

export function dns1123SubdomainProblems(value: string): readonly string[] {
  if (value.length <= 253 && subdomainPattern.test(value)) return none;
  return lengthAndPattern(value, 253, subdomainPattern, () => regexHint(subdomainRule, subdomain, 'example.com'));
}

const caselessPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/i;
const caselessRule = "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

/** Names of CSI and DRA drivers. This check counts in bytes and says so. */
export function dns1123SubdomainCaselessProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(value) > 253) problems.push('must be no more than 253 bytes');
  if (!caselessPattern.test(value)) problems.push(regexHint(caselessRule, subdomain, 'Example.com'));
  return problems;
}

const underscoreLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscorePattern = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?(?:\._?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?)*$/;
const underscoreRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";

export function dns1123SubdomainUnderscoreProblems(value: string): readonly string[] {
  return lengthAndPattern(value, 253, underscorePattern, () => regexHint(underscoreRule, `${underscoreLabel}(\\.${underscoreLabel})*`, 'example.com'));
}

const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const label1035Pattern = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const label1035Rule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

export function dns1035LabelProblems(value: string): readonly string[] {
  return lengthAndPattern(value, 63, label1035Pattern, () => regexHint(label1035Rule, label1035, 'my-name', 'abc-123'));
}

const wildcardPattern = /^\*\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";

export function wildcardDns1123SubdomainProblems(value: string): readonly string[] {
  return lengthAndPattern(value, 253, wildcardPattern, () => regexHint(wildcardRule, `\\*\\.${subdomain}`, '*.example.com'));
}

/** The names of most kinds. */
export const nameIsSubdomain: NameRule = (name, prefix) => dns1123SubdomainProblems(prefix ? maskTrailingDash(name) : name);
export const nameIsLabel: NameRule = (name, prefix) => dns1123LabelProblems(prefix ? maskTrailingDash(name) : name);
export const nameIsLabel1035: NameRule = (name, prefix) => dns1035LabelProblems(prefix ? maskTrailingDash(name) : name);
/** What any name must be, so that it can stand in a path. */
export const nameIsPathSegment: NameRule = (name, prefix) => (prefix ? pathSegmentPrefixProblems(name) : pathSegmentProblems(name));

/** A generateName may end in a dash: more follows. */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

export function pathSegmentProblems(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return pathSegmentPrefixProblems(name);
}

function pathSegmentPrefixProblems(name: string): readonly string[] {
  if (!name.includes('/') && !name.includes('%')) return none;
  return ['/', '%'].filter((character) => name.includes(character)).map((character) => `may not contain '${character}'`);
}

export function cIdentifierProblems(value: string): readonly string[] {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) return none;
  const rule = "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return [regexHint(rule, '[A-Za-z_][A-Za-z0-9_]*', 'my_name', 'MY_NAME', 'MyName')];
}

export function rangeProblems(value: number, minimum: number, maximum: number): readonly string[] {
  return value >= minimum && value <= maximum ? none : [`must be between ${minimum} and ${maximum}, inclusive`];
}

export function portNumberProblems(port: number): readonly string[] {
  return rangeProblems(port, 1, 65535);
}

/** User and group ids of Linux. */
export function idProblems(id: number): readonly string[] {
  return rangeProblems(id, 0, 2147483647);
}

export function portNameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(name) > 15) problems.push(tooLong(15));
  if (!/^[-a-z0-9]+$/.test(name)) problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

export function percentProblems(value: string): readonly string[] {
  if (/^[0-9]+%$/.test(value)) return none;
  return [regexHint("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%')];
}

export function httpHeaderNameProblems(value: string): readonly string[] {
  if (/^[-A-Za-z0-9]+$/.test(value)) return none;
  return [regexHint("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', 'X-Header-Name')];
}

/** Printable ASCII but `=`. */
export function environmentNameProblems(value: string): readonly string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  if (/^[ -<>-~]*$/.test(value)) return none;
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** Keys of config maps and secrets. */
export function configKeyProblems(value: string): readonly string[] {
  const format = '[-._a-zA-Z0-9]+';
  const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  const problems = lengthAndPattern(value, 253, /^[-._a-zA-Z0-9]+$/, () => regexHint(rule, format, 'key.name', 'KEY_NAME', 'key-name'));
  const leading = leadingDotsProblem(value);
  return leading === undefined ? problems : [...problems, leading];
}

function leadingDotsProblem(value: string): string | undefined {
  if (value === '.' || value === '..') return `must not be '${value}'`;
  return value.startsWith('..') ? "must not start with '..'" : undefined;
}

export function decimalIntegerProblems(value: string): readonly string[] {
  if (value === '') return ['must be non-empty'];
  return /^(?:0|-?[1-9][0-9]*)$/.test(value) ? none : ['must be a valid decimal integer in canonical form'];
}

/** `acme.io/foo`: the value to show and its problems, since the parts are reported on their own. */
export function domainPrefixedPathProblems(value: string): readonly { readonly value: string; readonly problem: string }[] {
  const slash = value.indexOf('/');
  if (slash <= 0 || slash === value.length - 1) return [{ value, problem: 'must be a domain-prefixed path (such as "acme.io/foo")' }];
  const host = value.slice(0, slash);
  const path = value.slice(slash + 1);
  const problems = dns1123SubdomainProblems(host).map((problem) => ({ value: host, problem }));
  const format = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) problems.push({ value: path, problem: regexHint('Invalid path', format) });
  return problems;
}

/** `(e.g. 'a',  or 'b', regex used for validation is 'c')`, odd commas included. */
export function regexHint(rule: string, format: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${rule} (regex used for validation is '${format}')`;
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${format}')`;
}

export function tooLong(maximum: number): string {
  return `must be no more than ${maximum} characters`;
}

/** Go counts bytes where its messages say characters. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function lengthAndPattern(value: string, maximum: number, pattern: RegExp, hint: () => string): readonly string[] {
  const problems: string[] = [];
  if (byteLength(value) > maximum) problems.push(tooLong(maximum));
  if (!pattern.test(value)) problems.push(hint());
  return problems.length === 0 ? none : problems;
}
