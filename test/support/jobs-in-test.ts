// A server whose Jobs are watched by a test that plays the kubelet: it writes the status of pods.
import { expect } from 'vitest';
import { PassingTime } from './passing-time.ts';
import { ServerInTest } from './server-in-test.ts';

export interface PodSeen {
  readonly metadata: {
    readonly name: string;
    readonly generateName?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly object[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: object;
  readonly status: { readonly phase: string };
}

export interface JobStatusSeen {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string; readonly message: string }[];
  readonly startTime?: string;
  readonly active?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
}

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };

export class JobsInTest implements AsyncDisposable {
  readonly time: PassingTime;
  readonly #server: ServerInTest;
  #count = 0;
  namespace = '';

  private constructor(server: ServerInTest, time: PassingTime) {
    this.#server = server;
    this.time = time;
  }

  static async start(flags: readonly string[]): Promise<JobsInTest> {
    const time = new PassingTime();
    return new JobsInTest(await ServerInTest.start({ flags, clock: time, timers: time }), time);
  }

  async newNamespace(): Promise<void> {
    this.namespace = `jobs-${++this.#count}`;
    await this.#server.make('/api/v1/namespaces', { metadata: { name: this.namespace } });
  }

  /** `completions: null` leaves them open. */
  async create(name: string, spec: object, podSpec: object = {}, labels: object = {}): Promise<void> {
    const template = { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }], ...podSpec } };
    await this.#server.make(this.#jobs, { metadata: { name }, spec: { template, ...spec } });
  }

  async createPod(name: string, labels: object): Promise<void> {
    await this.#server.make(this.#pods, { metadata: { name, labels }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } });
  }

  async patch(name: string, patch: object): Promise<void> {
    await this.#change('PATCH', `${this.#jobs}/${name}`, patch);
  }

  async remove(name: string, propagationPolicy: string): Promise<void> {
    await this.#change('DELETE', `${this.#jobs}/${name}`, { propagationPolicy });
  }

  async status(name: string): Promise<JobStatusSeen> {
    return (await this.#server.ask('GET', `${this.#jobs}/${name}`)).json.status as unknown as JobStatusSeen;
  }

  async allPods(): Promise<readonly PodSeen[]> {
    return (await this.#server.ask('GET', this.#pods)).json.items as unknown as PodSeen[];
  }

  /** When there are so many. */
  async pods(count: number): Promise<readonly PodSeen[]> {
    await expect.poll(async () => (await this.allPods()).length, soon).toBe(count);
    return this.allPods();
  }

  async activePods(count: number): Promise<readonly PodSeen[]> {
    const active = async () => (await this.allPods()).filter(({ metadata, status }) => /Pending|Running/.test(status.phase) && !metadata.deletionTimestamp);
    await expect.poll(async () => (await active()).length, soon).toBe(count);
    return active();
  }

  async run(pod: PodSeen | undefined): Promise<void> {
    await this.setStatus(pod, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
  }

  async succeed(pod: PodSeen | undefined): Promise<void> {
    await this.setStatus(pod, { phase: 'Succeeded', conditions: [{ type: 'Ready', status: 'False' }], containerStatuses: [this.#ended(0)] });
  }

  async fail(pod: PodSeen | undefined, exitCode = 1): Promise<void> {
    await this.setStatus(pod, { phase: 'Failed', conditions: [{ type: 'Ready', status: 'False' }], containerStatuses: [this.#ended(exitCode)] });
  }

  #ended(exitCode: number): object {
    const at = this.time.now().toISOString().replace(/\.\d+/, '');
    const state = { terminated: { exitCode, startedAt: at, finishedAt: at } };
    return { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state };
  }

  async setStatus(pod: PodSeen | undefined, status: object): Promise<void> {
    await this.#change('PATCH', `${this.#pods}/${pod?.metadata.name}/status`, { status });
  }

  /** It stays as a pod does whose node has not ended it yet. */
  async holdAndDelete(pod: PodSeen | undefined): Promise<void> {
    const path = `${this.#pods}/${pod?.metadata.name}`;
    await this.#change('PATCH', path, { metadata: { finalizers: [...(pod?.metadata.finalizers ?? []), 'example.com/held'] } });
    await this.#change('DELETE', path, {});
  }

  /** In the order of their times, then as the server lists them. */
  async events(): Promise<readonly string[]> {
    const { items } = (await this.#server.ask('GET', `/api/v1/namespaces/${this.namespace}/events`)).json;
    return items.map((event) => `${(event as unknown as { type: string }).type} ${event.reason}: ${event.message}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  get #jobs(): string {
    return `/apis/batch/v1/namespaces/${this.namespace}/jobs`;
  }

  get #pods(): string {
    return `/api/v1/namespaces/${this.namespace}/pods`;
  }

  async #change(method: string, path: string, body: object): Promise<void> {
    const answer = await this.#server.ask(method, path, body, method === 'PATCH' ? merge : {});
    if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  }
}
