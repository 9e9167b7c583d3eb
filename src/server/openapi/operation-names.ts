// How operations and their tags are named: verb, group, version, then the rest in camel case.

/** `/apis/rbac.authorization.k8s.io/v1/…` and `list`, `NamespacedRole` → `listRbacAuthorizationV1NamespacedRole`. */
export function operationId(verb: string, group: string, version: string, rest: string): string {
  return verb + camelCase(groupWord(group), true) + camelCase(version, true) + camelCase(rest, true);
}

export function tagOf(group: string, version: string): string {
  const word = camelCase(groupWord(group), false);
  return version === '' ? word : `${word}_${camelCase(version, false)}`;
}

function groupWord(group: string): string {
  return group === '' ? 'core' : group.replace(/\.k8s\.io$/, '');
}

/** Letters, digits and `_` stay; anything else is left out and begins a new word. */
function camelCase(text: string, capital: boolean): string {
  const words = text.split(/[^\p{L}\d_]+/u).map((word, index) => (index > 0 || capital ? word.charAt(0).toUpperCase() + word.slice(1) : word));
  return words.join('');
}
