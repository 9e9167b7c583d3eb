// What a kubelet may do: its own node, its pods, and what these need. The reasons are those of the original.
import { parseFieldSelector, requiredFieldValue } from '#api/field-selector.ts';
import type { User } from '#api/user.ts';
import { type NodeGraph, vertex } from '#auth/authorization/node-graph.ts';
import { type PolicyRule, ruleAllows } from '#auth/authorization/policy-rule.ts';
import type { AccessAttributes, Authorizer, Verdict } from '#auth/authorizer.ts';

export interface NodeAuthorizerParts {
  /** Filled when the first node asks: a server without kubelets does not pay for it. */
  readonly graph: () => Promise<NodeGraph>;
  /** For resources where all nodes may do the same. */
  readonly rules: readonly PolicyRule[];
  readonly gate: (name: string) => boolean;
}

const prefix = 'system:node:';

/** Undefined for users that are no nodes. */
export function nodeNameOf({ name, groups }: User): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}

export function nodeAuthorizer({ graph, rules, gate }: NodeAuthorizerParts): Authorizer {
  return async (user, access) => {
    const node = nodeNameOf(user);
    if (node === undefined) return noOpinion('');
    if (node === '') return noOpinion(`unknown node for user ${JSON.stringify(user.name)}`);
    const decide = access.isResource ? deciders[`${access.resource}.${access.group}`] : undefined;
    if (decide === undefined) return rules.some((rule) => ruleAllows(rule, access)) ? allowed : noOpinion('');
    return decide({ node, access, gate, related: async (kind) => related(await graph(), kind, node, access) });
  };
}

interface NodeQuestion {
  readonly node: string;
  readonly access: AccessAttributes;
  readonly gate: (name: string) => boolean;
  /** Is the named object connected with the node? */
  readonly related: (kind: string) => Promise<Verdict>;
}

type Decider = (question: NodeQuestion) => Promise<Verdict> | Verdict;

const allowed: Verdict = { decision: 'allow', reason: '' };

function noOpinion(reason: string): Verdict {
  return { decision: 'no-opinion', reason };
}

function related(graph: NodeGraph, kind: string, node: string, { namespace, name }: AccessAttributes): Verdict {
  if (name === '') return noOpinion('No Object name found');
  return graph.reaches(vertex(kind, namespace, name), node) ? allowed : noOpinion(`no relationship found between node '${node}' and this object`);
}

const readVerbs = new Set(['get', 'list', 'watch']);

function reads(kind: string): Decider {
  return ({ access, related: relation }) => {
    if (!readVerbs.has(access.verb)) return noOpinion('can only read resources of this type');
    if (access.subresource !== '') return noOpinion('cannot read subresource');
    if (access.namespace === '') return noOpinion('can only read namespaced object of this type');
    return relation(kind);
  };
}

function gets(kind: string): Decider {
  return ({ access, related: relation }) => {
    if (access.verb !== 'get') return noOpinion('can only get individual resources of this type');
    if (access.subresource !== '') return noOpinion('cannot get subresource');
    return relation(kind);
  };
}

const claims: Decider = (question) => {
  const { access, related: relation } = question;
  if (access.subresource !== 'status') return gets('pvc')(question);
  return access.verb === 'update' || access.verb === 'patch' ? relation('pvc') : noOpinion('can only get/update/patch this type');
};

const serviceAccounts: Decider = (question) => {
  const { access, gate, related: relation } = question;
  if (access.verb === 'get' && access.subresource === '') {
    const served = gate('KubeletServiceAccountTokenForCredentialProviders') || gate('PodCertificateRequest');
    return served ? reads('serviceaccount')(question) : noOpinion('not allowed to get service accounts');
  }
  if (access.verb !== 'create' || access.name === '') return noOpinion('can only create tokens for individual service accounts');
  if (access.subresource !== 'token') return noOpinion('can only create token subresource of serviceaccount');
  return relation('serviceaccount');
};

const ownVerbs = new Set(['get', 'create', 'update', 'patch', 'delete']);

/** A create has no name yet: NodeRestriction looks at it. */
const leases: Decider = ({ node, access }) => {
  if (!ownVerbs.has(access.verb)) return noOpinion('can only get, create, update, patch, or delete a node lease');
  if (access.namespace !== 'kube-node-lease') return noOpinion('can only access leases in the "kube-node-lease" system namespace');
  if (access.verb !== 'create' && access.name !== node) return noOpinion('can only access node lease with the same name as the requesting node');
  return allowed;
};

const csiNodes: Decider = ({ node, access }) => {
  if (!ownVerbs.has(access.verb)) return noOpinion('can only get, create, update, patch, or delete a CSINode');
  if (access.subresource !== '') return noOpinion('cannot authorize CSINode subresources');
  if (access.verb !== 'create' && access.name !== node) return noOpinion('can only access CSINode with the same name as the requesting node');
  return allowed;
};

const resourceSlices: Decider = ({ node, access, related: relation }) => {
  if (access.subresource !== '') return noOpinion('cannot authorize ResourceSlice subresources');
  switch (access.verb) {
    case 'create':
      return allowed;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return relation('resourceslice');
    case 'watch':
    case 'list':
    case 'deletecollection':
      return selects(access, 'spec.nodeName', node) ? allowed : noOpinion('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return noOpinion('only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection');
  }
};

const nodes: Decider = ({ node, access: { verb, subresource, name } }) => {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : noOpinion('');
  if (subresource !== '') return noOpinion('');
  if (verb === 'create' || verb === 'update' || verb === 'patch') return allowed;
  if (!readVerbs.has(verb)) return noOpinion('');
  if (name === node) return allowed;
  return noOpinion(
    name === '' ? `node '${node}' cannot read all nodes, only its own Node object` : `node '${node}' cannot read '${name}', only its own Node object`,
  );
};

const pods: Decider = ({ node, access, related: relation }) => {
  const { verb, subresource, name } = access;
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : noOpinion('');
  if (subresource === 'eviction') return verb === 'create' ? allowed : noOpinion('');
  if (subresource !== '') return noOpinion('');
  if (verb === 'create' || verb === 'delete') return allowed;
  if (verb === 'get') return relation('pod');
  if (verb !== 'list' && verb !== 'watch') return noOpinion('');
  if (selects(access, 'spec.nodeName', node)) return allowed;
  return name === '' ? noOpinion('can only list/watch pods with spec.nodeName field selector') : relation('pod');
};

const podCertificateRequests: Decider = ({ node, access, gate, related: relation }) => {
  const { verb, subresource } = access;
  if (!gate('PodCertificateRequest')) return noOpinion('');
  if (subresource !== '') return noOpinion('nodes may not access the status subresource of PodCertificateRequests');
  if (verb === 'create') return allowed;
  if (verb === 'get') return relation('podcertificaterequest');
  if (verb !== 'list' && verb !== 'watch') return noOpinion(`nodes may not ${verb} podcertificaterequests`);
  return selects(access, 'spec.nodeName', node) ? allowed : noOpinion('can only list/watch podcertificaterequests with nodeName field selector');
};

const deciders: Readonly<Record<string, Decider>> = {
  'secrets.': reads('secret'),
  'configmaps.': reads('configmap'),
  'persistentvolumeclaims.': claims,
  'persistentvolumes.': gets('pv'),
  'resourceclaims.resource.k8s.io': gets('resourceclaim'),
  'volumeattachments.storage.k8s.io': gets('volumeattachment'),
  'serviceaccounts.': serviceAccounts,
  'leases.coordination.k8s.io': leases,
  'csinodes.storage.k8s.io': csiNodes,
  'resourceslices.resource.k8s.io': resourceSlices,
  'nodes.': nodes,
  'pods.': pods,
  'podcertificaterequests.certificates.k8s.io': podCertificateRequests,
};

/** A selector that cannot be read selects nothing in particular. */
function selects({ fieldSelector }: AccessAttributes, field: string, value: string): boolean {
  try {
    return requiredFieldValue(parseFieldSelector(fieldSelector), field) === value;
  } catch {
    return false;
  }
}
