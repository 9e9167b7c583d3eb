// Who may do what, computed from the recorded bootstrap policy and the documented rules of nodes: the second opinion
// against which the answers of the server are held. Nothing of src/auth is used here.
import policy from '../fixtures/bootstrap-rbac.json' with { type: 'json' };

export interface Attempt {
  readonly verb: string;
  readonly group: string;
  /** `pods` or `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The node that a field selector picks. */
  readonly ofNode?: string;
}

export interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface Person {
  readonly name: string;
  readonly groups: readonly string[];
  /** What was given to him, by namespace. */
  readonly granted?: Readonly<Record<string, readonly Rule[]>>;
}

interface Role {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly aggregationRule?: { readonly clusterRoleSelectors: readonly { readonly matchLabels: Readonly<Record<string, string>> }[] };
  readonly rules?: readonly Rule[] | null;
}

const roles = policy.ClusterRole as readonly unknown[] as readonly Role[];

/** With everything that a role aggregates, at any depth. */
export function rulesOfRole(name: string): readonly Rule[] {
  const role = roles.find((candidate) => candidate.name === name);
  const selectors = role?.aggregationRule?.clusterRoleSelectors ?? [];
  const selected = roles.filter(({ labels = {} }) =>
    selectors.some(({ matchLabels }) => Object.entries(matchLabels).every(([key, value]) => labels[key] === value)),
  );
  return [...(role?.rules ?? []), ...selected.flatMap((member) => rulesOfRole(member.name))];
}

function rulesOfEveryday({ name, groups }: Person): readonly Rule[] {
  const bindings = policy.ClusterRoleBinding as readonly { subjects?: readonly { kind: string; name: string }[]; roleRef: { name: string } }[];
  const mine = bindings.filter(({ subjects = [] }) =>
    subjects.some((subject) => (subject.kind === 'Group' ? groups.includes(subject.name) : subject.kind === 'User' && subject.name === name)),
  );
  return mine.flatMap(({ roleRef }) => rulesOfRole(roleRef.name));
}

export function mayDo(person: Person, attempt: Attempt): boolean {
  const rules = [...rulesOfEveryday(person), ...(person.granted?.[attempt.namespace] ?? [])];
  return rules.some((rule) => allows(rule, attempt)) || isNodeRight(person, attempt);
}

export function maySee(person: Person, path: string): boolean {
  return rulesOfEveryday(person).some(
    ({ verbs = [], nonResourceURLs = [] }) =>
      verbs.includes('get') && nonResourceURLs.some((url) => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)))),
  );
}

function allows({ verbs = [], apiGroups = [], resources = [], resourceNames = [] }: Rule, { verb, group, resource, name }: Attempt): boolean {
  const one = (list: readonly string[], value: string) => list.includes('*') || list.includes(value);
  const anySub = resource.includes('/') && resources.includes(`*/${resource.split('/')[1]}`);
  return one(verbs, verb) && one(apiGroups, group) && (one(resources, resource) || anySub) && (resourceNames.length === 0 || resourceNames.includes(name));
}

/** In the world of these rules: everything of this name belongs to pods of the node. */
export const related = 'related';

const reading = ['get', 'list', 'watch'];
const writing = ['update', 'patch'];
const owning = ['get', 'update', 'patch', 'delete'];

type NodeRule = (attempt: Attempt, node: string) => boolean;

const ofItsPods =
  (...verbs: string[]): NodeRule =>
  ({ verb, name }) =>
    verbs.includes(verb) && name === related;

const ofItsName: NodeRule = ({ verb, name }, node) => verb === 'create' || (owning.includes(verb) && name === node);

/** By resource: where the node authorizer looks closer than at the rules of `system:node`. */
const nodeRules: Readonly<Record<string, NodeRule>> = {
  'secrets.': ofItsPods(...reading),
  'configmaps.': ofItsPods(...reading),
  'persistentvolumeclaims.': ofItsPods('get'),
  'persistentvolumeclaims/status.': ofItsPods(...writing),
  'persistentvolumes.': ofItsPods('get'),
  'resourceclaims.resource.k8s.io': ofItsPods('get'),
  'volumeattachments.storage.k8s.io': ofItsPods('get'),
  'serviceaccounts.': ofItsPods('get'),
  'serviceaccounts/token.': ofItsPods('create'),
  'leases.coordination.k8s.io': (attempt, node) => attempt.namespace === 'kube-node-lease' && ofItsName(attempt, node),
  'csinodes.storage.k8s.io': ofItsName,
  'nodes.': ({ verb, name }, node) => ['create', ...writing].includes(verb) || (reading.includes(verb) && name === node),
  'nodes/status.': ({ verb }) => writing.includes(verb),
  'pods.': ({ verb, name, ofNode }, node) =>
    verb === 'create' || verb === 'delete' || (reading.includes(verb) && (name === related || (verb !== 'get' && ofNode === node))),
  'pods/status.': ({ verb }) => writing.includes(verb),
  'pods/eviction.': ({ verb }) => verb === 'create',
  'resourceslices.resource.k8s.io': ({ verb, name, ofNode }, node) =>
    verb === 'create' || (owning.includes(verb) && name === related) || (['list', 'watch', 'deletecollection'].includes(verb) && ofNode === node),
  'podcertificaterequests.certificates.k8s.io': ({ verb, name, ofNode }, node) =>
    verb === 'create' || (verb === 'get' && name === related) || (['list', 'watch'].includes(verb) && ofNode === node),
};

function isNodeRight({ name, groups }: Person, attempt: Attempt): boolean {
  if (!name.startsWith('system:node:') || !groups.includes('system:nodes')) return false;
  const own = nodeRules[`${attempt.resource}.${attempt.group}`];
  if (own !== undefined) return own(attempt, name.slice('system:node:'.length));
  // A resource that is looked at closely has no other subresources than those above.
  if (nodeRules[`${attempt.resource.split('/')[0]}.${attempt.group}`] !== undefined) return false;
  return rulesOfRole('system:node').some((rule) => allows(rule, attempt));
}

export { policy };
