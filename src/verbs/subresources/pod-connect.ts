// Logs, shells, ports and proxies of a pod, up to the point where the server would have to talk to its kubelet.
import { badRequest, forbidden, invalid, notFound, notImplemented } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { isSimulatedNode, simulatedText } from '#api/simulated-node.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { Answer } from '#verbs/answer.ts';
import type { Call } from '#verbs/call.ts';
import type { SubresourceHandler } from '#verbs/subresource.ts';
import { preferredAddress, refuseOwnNetwork, targetOf } from '#verbs/subresources/proxy-targets.ts';

type PodObject = Pod & KubernetesObject;

/** A pod that runs nowhere yet has said nothing. */
export const readPodLog: SubresourceHandler = async (call): Promise<Answer> => {
  refuseBadLogOptions(call);
  const pod = await podNamed(call, call.name);
  refuseBadContainer(pod, call.query.get('container') ?? '');
  if (!pod.spec.nodeName) return { is: 'nothing' };
  throw noWayToKubelet(pod, await reachableNode(call, pod.spec.nodeName));
};

/** exec and attach. */
export const streamToContainer: SubresourceHandler = async (call, { verb, options }) => {
  await refuseWithoutCreate(call, verb);
  const pod = await podNamed(call, call.name);
  refuseBadContainer(pod, String(options?.['container'] ?? ''));
  return connectToKubelet(call, pod);
};

export const forwardPorts: SubresourceHandler = async (call, { verb }) => {
  await refuseWithoutCreate(call, verb);
  const pod = await podNamed(call, call.name);
  return connectToKubelet(call, pod);
};

async function connectToKubelet(call: Call, pod: PodObject): Promise<Answer> {
  if (!pod.spec.nodeName) throw unassigned(pod);
  const node = await reachableNode(call, pod.spec.nodeName);
  return {
    is: 'connect',
    serve: async ({ upgradeTo }) => {
      throw upgradeTo === '' ? badRequest('Upgrade request required') : noWayToKubelet(pod, node);
    },
  };
}

/** A node that is missing is reported as a pod, as upstream does. */
async function reachableNode({ world }: Call, name: string): Promise<KubernetesObject> {
  const node = await world.lister.get<Node & KubernetesObject>({ group: '', resource: 'nodes' }, '', name);
  if (node === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  preferredAddress(node);
  return node;
}

/** A GET that becomes a WebSocket does what a POST does, so it needs the same right; before anything is said about the pod. */
async function refuseWithoutCreate(call: Call, verb: string): Promise<void> {
  const { world, user, definition, subresource, namespace, name } = call;
  if (verb === 'create' || !world.gate('AuthorizePodWebsocketUpgradeCreatePermission')) return;
  const { group, version, plural: resource } = definition;
  const { allowed, reason } = await world.accessOf(user, { verb: 'create', group, version, resource, subresource, namespace, name });
  if (!allowed) throw forbidden({ group, resource }, name, reason);
}

export const proxyToPod: SubresourceHandler = async (call) => {
  const pod = await podNamed(call, targetOf(call.name, 'pod').name);
  const address = pod.status?.podIP || pod.status?.podIPs?.[0]?.ip;
  if (!address) throw badRequest('address not allowed');
  refuseOwnNetwork(address);
  throw notImplemented(`proxying to pods is not supported by this server (pod ${pod.metadata.name}, address ${address})`);
};

function refuseBadLogOptions(call: Call): void {
  const errors = new FieldErrors();
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map((name) => integerIn(call.query, name));
  if (tailLines !== undefined && tailLines < 0) errors.invalid('tailLines', tailLines, 'must be greater than or equal to 0');
  if (limitBytes !== undefined && limitBytes < 1) errors.invalid('limitBytes', limitBytes, 'must be greater than 0');
  if (sinceSeconds !== undefined && call.query.has('sinceTime')) {
    errors.forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.invalid('sinceSeconds', sinceSeconds, 'must be greater than 0');
  }
  refuseBadStream(call, tailLines !== undefined, errors);
  if (!errors.empty) throw invalid({ group: '', kind: 'PodLogOptions' }, call.name, errors.list);
}

function refuseBadStream({ query, world }: Call, tail: boolean, errors: FieldErrors): void {
  const stream = query.get('stream');
  if (stream === null) return;
  if (!world.gate('PodLogsQuerySplitStreams')) return errors.forbidden('stream', 'may not be specified');
  const streams = ['Stdout', 'Stderr', 'All'];
  if (!streams.includes(stream)) errors.notSupported('stream', stream, streams);
  else if (tail && stream !== 'All') errors.forbidden('[]', '`tailLines` and specific `stream` are mutually exclusive for now');
}

function integerIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

async function podNamed(call: Call, name: string): Promise<PodObject> {
  const item = await call.world.caches.get(call.hub).readLatest(call.namespace, name, call.asker);
  if (item === undefined) throw notFound({ group: '', resource: 'pods' }, name);
  return item.object as unknown as PodObject;
}

function refuseBadContainer({ metadata: { name }, spec }: PodObject, asked: string): void {
  const all: readonly Container[] = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...((spec.ephemeralContainers ?? []) as Container[])];
  const names = all.map((container) => container.name);
  if (asked !== '') {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
  } else if ((spec.containers?.length ?? 0) > 1) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
  }
}

function unassigned({ metadata }: PodObject): Error {
  return badRequest(`pod ${metadata.name} does not have a host assigned`);
}

function noWayToKubelet({ metadata, spec }: PodObject, node: KubernetesObject): Error {
  if (isSimulatedNode(node))
    return notImplemented(`pod ${metadata.name} is on node ${spec.nodeName}, which is ${simulatedText}: it has no logs and no processes`);
  return notImplemented(`connections to kubelets are not supported by this server (node ${spec.nodeName})`);
}
