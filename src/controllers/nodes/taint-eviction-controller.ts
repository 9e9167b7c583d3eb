// Removes pods from nodes whose NoExecute taints they do not tolerate, or tolerate only for a time.
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { toleratesTaint } from '#api/taints.ts';
import type { Clock } from '#base/clock.ts';
import { CoreEventRecorder } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import { disruptionTarget } from '#controllers/nodes/disruption-target.ts';
import { taintEvictionMetrics } from '#controllers/nodes/node-metrics.ts';
import { nodeNameOf, podsOnNode } from '#controllers/nodes/pods-on-node.ts';
import type { StoredNode, StoredPod } from '#controllers/nodes/stored-kinds.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import type { Taint } from '#kinds/core/v1/node/node.ts';

export interface TaintEvictionOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

/** When a pod is to go, and since when that is known. */
interface Appointment {
  readonly uid: string;
  readonly since: number;
  /** -Infinity: it was told to go. */
  readonly at: number;
}

const told = Number.NEGATIVE_INFINITY;

export function taintEviction(options: TaintEvictionOptions): Controller {
  return new TaintEviction(options).controller;
}

class TaintEviction {
  readonly controller: Controller;
  readonly #options: TaintEvictionOptions;
  readonly #nodes: Source<StoredNode>;
  readonly #pods: Source<StoredPod>;
  readonly #events: CoreEventRecorder;
  readonly #metrics: ReturnType<typeof taintEvictionMetrics>;
  /** NoExecute taints by node: most have none, so that most changes of pods cost nothing. */
  readonly #tainted = new Map<string, readonly Taint[]>();
  readonly #appointments = new Map<string, Appointment>();

  constructor(options: TaintEvictionOptions) {
    const { client, sources, clock, log, metrics } = options;
    this.#options = options;
    this.#nodes = sources.of(kinds.nodes);
    this.#pods = sources.of(kinds.pods);
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'taint-eviction-controller' });
    this.#metrics = taintEvictionMetrics(metrics.ofLoops);
    this.controller = controller({
      ...options,
      name: 'noexec_taint_pod',
      sources: [
        keysOf(this.#nodes, ({ name, object }, type) => this.#podsOfChanged(name, type === 'DELETED' ? [] : noExecute(object))),
        keysOf(this.#pods, (item) => (this.#tainted.has(nodeNameOf(item)) || this.#appointments.has(sourceKey(item)) ? [sourceKey(item)] : [])),
      ],
      reconcile: (key) => this.#settle(key),
      workers: 8,
      retry: { firstMs: 10, maxMs: 1_000 },
    });
  }

  #podsOfChanged(node: string, taints: readonly Taint[]): readonly string[] {
    const before = this.#tainted.get(node) ?? [];
    if (taints.length === 0) this.#tainted.delete(node);
    else this.#tainted.set(node, taints);
    if (JSON.stringify(before) === JSON.stringify(taints)) return [];
    return podsOnNode(this.#pods, node).map(sourceKey);
  }

  async #settle(key: string): Promise<{ readonly againMs: number } | void> {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name)?.object;
    if (pod === undefined || pod.metadata.uid !== (this.#appointments.get(key)?.uid ?? pod.metadata.uid)) this.#cancel(key);
    if (pod === undefined) return;
    const taints = this.#tainted.get(pod.spec.nodeName ?? '') ?? [];
    const now = this.#options.clock.now().getTime();
    const toleratedMs = toleratedFor(taints, pod.spec.tolerations ?? []);
    if (toleratedMs === undefined) return this.#cancel(key);
    const known = this.#appointments.get(key);
    if (known?.at === told) return;
    // A taint that comes later does not give more time than the first one did.
    const since = known?.since ?? now;
    const at = toleratedMs === 0 ? now : Math.min(since + toleratedMs, known?.at ?? Number.POSITIVE_INFINITY);
    if (at > now) {
      this.#appointments.set(key, { uid: pod.metadata.uid ?? '', since, at });
      return { againMs: at - now };
    }
    await this.#evict(key, pod, at);
  }

  #cancel(key: string): void {
    const known = this.#appointments.get(key);
    this.#appointments.delete(key);
    if (known !== undefined && known.at !== told) this.#tell(key, `Cancelling deletion of Pod ${key}`);
  }

  /** `due`: when it was to go. */
  async #evict(key: string, { metadata: { uid } }: StoredPod, due: number): Promise<void> {
    const { client, clock } = this.#options;
    const { namespace, name } = splitKey(key);
    this.#tell(key, `Marking for deletion Pod ${key}`);
    const pod = await client.find<StoredPod>(kinds.pods, namespace, name);
    if (pod === undefined || pod.metadata.uid !== uid) return void this.#appointments.delete(key);
    const condition = disruptionTarget(pod, 'DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint', clock.now());
    const patch = { metadata: { uid }, status: { conditions: [condition] } };
    if (condition) await unlessGone(client.patch(kinds.pods, { namespace, name, subresource: 'status' }, patchTypes.strategic, patch));
    await unlessGone(client.delete(kinds.pods, namespace, name));
    this.#metrics.deleted(clock.now().getTime() - due);
    this.#appointments.set(key, { uid: uid ?? '', since: told, at: told });
  }

  #tell(key: string, message: string): void {
    this.#events.event({ kind: 'Pod', apiVersion: 'v1', metadata: splitKey(key) }, 'Normal', 'TaintManagerEviction', message);
  }
}

function noExecute({ spec }: StoredNode): readonly Taint[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

/** In milliseconds, the shortest time that a toleration used for these taints gives; undefined: for ever. */
export function toleratedFor(taints: readonly Taint[], tolerations: readonly Toleration[]): number | undefined {
  const used = taints.map((taint) => tolerations.find((toleration) => toleratesTaint(toleration, taint)));
  if (used.includes(undefined)) return 0;
  const seconds = used.flatMap((toleration) => (toleration?.tolerationSeconds === undefined ? [] : [Number(toleration.tolerationSeconds)]));
  return seconds.length === 0 ? undefined : Math.max(0, Math.min(...seconds)) * 1_000;
}
