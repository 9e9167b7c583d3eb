// Is there room on the node, how much would be left (the more, the better), and would processor and memory be used evenly?
import { maxScore, type NodeFilter, type Plugin, type Rejection } from '#scheduler/framework.ts';
import type { NodeInfo, StoredNode } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { noResources, type ResourceList, type Resources, resourcesOf } from '#scheduler/cluster/resources.ts';
import { hadPlace, nodeHint, type PodEvent, podHint } from '#scheduler/queue/hints.ts';

const name = 'NodeResourcesFit';

interface Room {
  readonly pods: number;
  readonly allocatable: Resources;
  readonly requested: Resources;
}

export function nodeResourcesFit(): Plugin {
  return {
    name,
    weight: 1,
    isLocal: true,
    filter: fitFilter,
    score: ({ scored }) => ({ score: (node) => leastAllocated(scored, node) }),
    hints: [
      podHint(['Delete'], (_, { before }) => before !== undefined && hadPlace(before)),
      podHint(['UpdateScaleDown'], isHelpfulScaleDown),
      nodeHint(['Add', 'UpdateAllocatable'], ({ requests }, { before, after }) => {
        if (after === undefined || shortages(requests, empty(after)).length > 0) return false;
        return before === undefined || hasMore(requests, empty(before).allocatable, empty(after).allocatable);
      }),
    ],
  };
}

function fitFilter({ requests }: PodFacts): NodeFilter {
  return {
    check: ({ pods, allocatable, requested }) => {
      const short = shortages(requests, { pods: pods.size, allocatable, requested });
      return short.length === 0 ? undefined : rejection(short);
    },
  };
}

interface Shortage {
  readonly reason: string;
  /** The node is too small even when it is empty. */
  readonly isFinal: boolean;
}

function rejection(short: readonly Shortage[]): Rejection {
  return { plugin: name, isResolvable: !short.some(({ isFinal }) => isFinal), reasons: short.map(({ reason }) => reason) };
}

const nothingShort: readonly Shortage[] = [];

function shortages(wanted: Resources, { pods, allocatable, requested }: Room): readonly Shortage[] {
  const short: Shortage[] = [];
  const check = (resource: string, amount: number, all: number, used: number) => {
    if (amount > 0 && amount > all - used) short.push({ reason: `Insufficient ${resource}`, isFinal: amount > all });
  };
  if (pods + 1 > allocatable.pods) short.push({ reason: 'Too many pods', isFinal: false });
  check('cpu', wanted.cpu, allocatable.cpu, requested.cpu);
  check('memory', wanted.memory, allocatable.memory, requested.memory);
  check('ephemeral-storage', wanted.storage, allocatable.storage, requested.storage);
  for (const [resource, amount] of wanted.scalars) check(resource, amount, allocatable.scalars.get(resource) ?? 0, requested.scalars.get(resource) ?? 0);
  return short.length === 0 ? nothingShort : short;
}

function empty(node: StoredNode): Room {
  return { pods: 0, allocatable: resourcesOf(node.status?.allocatable as ResourceList | undefined), requested: noResources() };
}

/** Does a node have more of what a pod asks for than it had? */
function hasMore(wanted: Resources, before: Resources, after: Resources): boolean {
  if (after.pods > before.pods) return true;
  if ((['cpu', 'memory', 'storage'] as const).some((resource) => wanted[resource] > 0 && after[resource] > before[resource])) return true;
  return [...wanted.scalars].some(([resource, amount]) => amount > 0 && (after.scalars.get(resource) ?? 0) > (before.scalars.get(resource) ?? 0));
}

function isHelpfulScaleDown(pod: PodFacts, { before, after }: PodEvent): boolean {
  if (before === undefined || after === undefined) return false;
  if (after.uid === pod.uid) return true;
  return after.nodeName !== '' && hasMore(pod.requests, after.counted, before.counted);
}

/** The share of processor and memory that would be left, on average. */
function leastAllocated({ cpu, memory }: Resources, { allocatable, requestedForScores }: NodeInfo): number {
  let sum = 0;
  let resources = 0;
  const add = (all: number, used: number) => {
    if (all === 0) return;
    sum += used > all ? 0 : Math.floor(((all - used) * maxScore) / all);
    resources++;
  };
  add(allocatable.cpu, requestedForScores.cpu + cpu);
  add(allocatable.memory, requestedForScores.memory + memory);
  return resources === 0 ? 0 : Math.floor(sum / resources);
}

export function nodeResourcesBalanced(): Plugin {
  return {
    name: 'NodeResourcesBalancedAllocation',
    weight: 1,
    isLocal: true,
    // Pods that ask for nothing leave the balance as it is.
    score: ({ requests }) => (requests.cpu === 0 && requests.memory === 0 ? undefined : { score: (node) => balance(requests, node) }),
    hints: [],
  };
}

/** Better than 50 and a half: the pod makes the use of both more even. */
function balance({ cpu, memory }: Resources, { allocatable, requested }: NodeInfo): number {
  const after = evenness(allocatable, requested.cpu + cpu, requested.memory + memory);
  const before = evenness(allocatable, requested.cpu, requested.memory);
  return maxScore / 2 + Math.trunc((maxScore / 2 + after - before) / 2);
}

/** 100 when the same share of both is used. */
function evenness(allocatable: Resources, cpu: number, memory: number): number {
  if (allocatable.cpu === 0 || allocatable.memory === 0) return maxScore;
  const deviation = Math.abs((Math.min(1, cpu / allocatable.cpu) - Math.min(1, memory / allocatable.memory)) / 2);
  return Math.trunc((1 - deviation) * maxScore);
}
