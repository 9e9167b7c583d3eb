// Nodes that play: all of them in one loop. Nodes are registered and kept alive as their kubelets would, each as its own user, so that the Node
// authorizer and NodeRestriction hold for them; their pods are led through their lives (nodes/play-pods.ts).
import { setMaxListeners } from 'node:events';
import { ApiError } from '#api/api-error.ts';
import type { Source, Sources } from '#api/source.ts';
import { isSimulatedNode, simulatedText } from '#api/simulated-node.ts';
import type { Clock } from '#base/clock.ts';
import { inParallel } from '#base/in-parallel.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import { regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { itemBackoff } from '#client/rate-limit.ts';
import type { RestClient } from '#client/rest-client.ts';
import { WorkQueue } from '#client/work-queue.ts';
import { unlessOvertaken } from '#controllers/controller.ts';
import { DueKeys } from '#nodes/due-keys.ts';
import { hostAddress, podNetwork, slotOf } from '#nodes/node/addresses.ts';
import { isUnwell, newNode, type StoredNode } from '#nodes/node/node-object.ts';
import { isSilent, PlayedNode } from '#nodes/node/played-node.ts';
import { PodPlayer } from '#nodes/play-pods.ts';

export interface PlayOptions {
  readonly log: Log;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly sources: Sources;
  /** Asks as this user, of the group `system:nodes`. */
  readonly clientOf: (user: string) => RestClient;
  /** How many are registered: `node-0`, `node-1` … Nodes that others made with the annotation are played as well. */
  readonly nodes: number;
  readonly kubeletVersion: string;
  /** Whether nodes come with a network for their pods: where node-ipam-controller gives them one they must not. */
  readonly givesPodCidrs: boolean;
}

const renewMs = 10_000;
const statusMs = 5 * 60_000;
/** Registrations and heartbeats at a time. */
const workers = 8;

/** Until `signal` aborts. */
export async function playNodes(options: PlayOptions, signal: AbortSignal): Promise<void> {
  await new NodePlayer(options).run(signal);
}

class NodePlayer {
  readonly #options: PlayOptions;
  readonly #source: Source<StoredNode>;
  readonly #played = new Map<string, PlayedNode>();
  readonly #slots = new Set<number>();
  /** Nodes whose first lease was written. */
  readonly #leased = new Set<string>();
  readonly #pods: PodPlayer;
  /** `lease NAME` and `status NAME`. */
  readonly #queue: WorkQueue;
  readonly #due: DueKeys;

  constructor(options: PlayOptions) {
    const { sources, timers, clock } = options;
    this.#options = options;
    this.#source = sources.of<StoredNode>(kinds.nodes);
    this.#queue = new WorkQueue({ timers, limit: itemBackoff({ firstMs: 50, maxMs: 7_000 }) });
    this.#due = new DueKeys({ timers, now: () => clock.now().getTime(), onDue: (key) => this.#queue.add(key) });
    this.#pods = new PodPlayer({ ...options, nodeNamed: (name) => this.#activeNode(name) });
  }

  async run(signal: AbortSignal): Promise<void> {
    const stopped = new AbortController();
    setMaxListeners(0, stopped.signal);
    const stop = () => {
      stopped.abort();
      this.#due.clear();
      this.#queue.shutDown();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await this.#source.follow(
      {
        begin: (all) => {
          const here = new Set(all.map(({ name }) => name));
          for (const name of this.#played.keys()) if (!here.has(name)) this.#forget(name);
          for (const { object } of all) this.#see(object);
        },
        change: (type, { name, object }) => (type === 'DELETED' ? this.#forget(name) : this.#see(object)),
      },
      stopped.signal,
    );
    const working = this.#queue.work(
      (key) => this.#tell(key),
      (key, error) => this.#complain(key, error, signal),
      workers,
    );
    await Promise.all([this.#register(signal), this.#pods.run(stopped.signal), working]);
  }

  async #register(signal: AbortSignal): Promise<void> {
    const { nodes, log } = this.#options;
    const missing = Array.from({ length: nodes }, (_, slot) => slot).filter((slot) => this.#source.get('', `node-${slot}`) === undefined);
    await inParallel(missing, workers, async (slot) => {
      if (signal.aborted) return;
      try {
        await this.#create(slot);
      } catch (error) {
        if (!signal.aborted) log.warn('a node that plays could not be registered', { node: `node-${slot}`, err: String(error) });
      }
    });
  }

  async #create(slot: number): Promise<void> {
    const { clock, kubeletVersion, givesPodCidrs } = this.#options;
    const name = `node-${slot}`;
    const podCIDR = givesPodCidrs ? podNetwork(slot) : undefined;
    const object = newNode({ name, hostIP: hostAddress(slot), kubeletVersion, podCIDR, now: clock.now() });
    const node = (await this.#clientOf(name).create(kinds.nodes, '', object)) as unknown as StoredNode;
    this.#see(node);
    this.#played.get(name)?.events.event(regarding(kinds.nodes, node), 'Normal', 'Simulated', `Node ${name} is ${simulatedText}`);
  }

  #clientOf(name: string): RestClient {
    return this.#options.clientOf(`system:node:${name}`);
  }

  #see(node: StoredNode): void {
    const { name = '' } = node.metadata;
    if (!isSimulatedNode(node)) return this.#forget(name);
    const known = this.#played.get(name);
    if (known !== undefined && known.uid !== node.metadata.uid) this.#forget(name);
    if (!this.#played.has(name)) this.#begin(node);
    if (isUnwell(node) && !isSilent(node)) this.#queue.add(`status ${name}`);
    else if (known !== undefined && !isSilent(node)) this.#pods.wake(known);
  }

  #begin(node: StoredNode): void {
    const { name = '' } = node.metadata;
    const { clock, log, kubeletVersion } = this.#options;
    const slot = this.#slotFor(node);
    const played = new PlayedNode(node, slot, { client: this.#clientOf(name), clock, log, kubeletVersion });
    this.#slots.add(slot);
    this.#played.set(name, played);
    const now = clock.now().getTime();
    this.#queue.add(`lease ${name}`);
    // Heartbeats of many nodes that begin together are spread over their interval.
    this.#due.set(`status ${name}`, now + statusMs + ((slot * 7_919) % statusMs));
    this.#pods.adopt(played);
  }

  #slotFor({ metadata: { name = '' }, status }: StoredNode): number {
    const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    const own = (address !== undefined ? slotOf(address) : undefined) ?? numberIn(name);
    if (own !== undefined && !this.#slots.has(own)) return own;
    let free = this.#options.nodes;
    while (this.#slots.has(free)) free++;
    return free;
  }

  #forget(name: string): void {
    const played = this.#played.get(name);
    if (played === undefined) return;
    this.#played.delete(name);
    this.#slots.delete(played.slot);
    this.#leased.delete(name);
    for (const what of ['lease', 'status']) this.#due.delete(`${what} ${name}`);
  }

  /** Undefined: it is not played, or has fallen silent. */
  #activeNode(name: string): PlayedNode | undefined {
    const played = this.#played.get(name);
    if (played === undefined) return undefined;
    const node = this.#source.get('', name)?.object;
    return node !== undefined && isSilent(node) ? undefined : played;
  }

  async #tell(key: string): Promise<void> {
    const [what, name = ''] = key.split(' ');
    const played = this.#played.get(name);
    if (played === undefined) return;
    const node = this.#source.get('', name)?.object;
    const now = this.#options.clock.now().getTime();
    if (what === 'lease') {
      // The first one comes at once; then each node has its own moment in the interval.
      const isFirst = !this.#leased.has(name);
      this.#leased.add(name);
      this.#due.set(key, now + (isFirst ? renewMs / 2 + ((played.slot * 997) % (renewMs / 2)) : renewMs));
      if (node === undefined || !isSilent(node)) await played.renewLease();
      return;
    }
    this.#due.set(key, now + statusMs);
    if (node !== undefined && !isSilent(node)) await unlessOvertaken(played.postStatus(node));
  }

  #complain(key: string, error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    const isExpected = error instanceof ApiError && error.code === 409;
    if (!isExpected) this.#options.log.warn('a node that plays could not tell its state', { what: key, err: String(error) });
  }
}

function numberIn(name: string): number | undefined {
  const match = /^node-(\d{1,5})$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}
