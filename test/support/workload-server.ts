// A server in process whose controllers make pods, and whose kubelets are played by the test: it writes the status of pods.
import { expect } from 'vitest';
import { ServerInTest } from './server-in-test.ts';

export interface PlayedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
    readonly labels: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly ownerReferences?: readonly { readonly name: string; readonly uid: string; readonly kind: string; readonly controller?: boolean }[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: Record<string, unknown> & { readonly replicas?: number };
  readonly status: Record<string, unknown> & { readonly phase?: string; readonly conditions?: readonly PlayedCondition[] };
}

export interface PlayedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export const merge = { type: 'application/merge-patch+json' };
export const core = '/api/v1/namespaces/default';
export const apps = '/apis/apps/v1/namespaces/default';
const soon = { timeout: 20_000, interval: 10 };

export class WorkloadServer implements AsyncDisposable {
  readonly server: ServerInTest;

  private constructor(server: ServerInTest) {
    this.server = server;
  }

  static async start(controllers: readonly string[]): Promise<WorkloadServer> {
    return new WorkloadServer(await ServerInTest.start({ flags: [`--controllers=${controllers.join(',')}`] }));
  }

  async get(path: string): Promise<PlayedObject> {
    return JSON.parse((await this.server.ask('GET', path)).text) as PlayedObject;
  }

  async list(path: string): Promise<readonly PlayedObject[]> {
    return (JSON.parse((await this.server.ask('GET', path)).text) as { items: PlayedObject[] }).items;
  }

  /** Those that are not about to go. */
  async pods(selector = ''): Promise<readonly PlayedObject[]> {
    const all = await this.list(`${core}/pods?labelSelector=${encodeURIComponent(selector)}`);
    return all.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  async make(path: string, object: object): Promise<PlayedObject> {
    return (await this.server.make(path, object)) as unknown as PlayedObject;
  }

  async change(path: string, patch: object): Promise<PlayedObject> {
    const answer = await this.server.ask('PATCH', path, patch, merge);
    if (answer.code !== 200) throw new Error(`${path}: ${answer.text}`);
    return JSON.parse(answer.text) as PlayedObject;
  }

  async delete(path: string, options: object = {}): Promise<void> {
    const { code, text } = await this.server.ask('DELETE', path, options);
    if (code >= 300) throw new Error(`${path}: ${text}`);
  }

  /** What a kubelet would say of a pod that runs; `since`: of how many seconds ago its readiness is. The pod may have gone meanwhile. */
  async setReady({ metadata: { name, namespace } }: PlayedObject, { ready = true, since = 0 } = {}): Promise<void> {
    const lastTransitionTime = new Date(Date.now() - since * 1_000).toISOString();
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }];
    const answer = await this.server.ask('PATCH', `/api/v1/namespaces/${namespace}/pods/${name}/status`, { status: { phase: 'Running', conditions } }, merge);
    if (answer.code !== 200 && answer.code !== 404) throw new Error(`${name}: ${answer.text}`);
  }

  async setPhase({ metadata: { name, namespace } }: PlayedObject, phase: string): Promise<void> {
    await this.change(`/api/v1/namespaces/${namespace}/pods/${name}/status`, { status: { phase } });
  }

  /** Runs and readies every pod that comes, until `holds`. */
  async playUntil(holds: () => Promise<boolean>): Promise<void> {
    const step = async () => {
      for (const pod of await this.pods()) if (pod.status.phase === 'Pending') await this.setReady(pod);
      return holds();
    };
    await expect.poll(step, soon).toBe(true);
  }

  async until<T>(read: () => Promise<T>, wanted: T): Promise<void> {
    await expect.poll(read, soon).toEqual(wanted);
  }

  async events(name: string): Promise<readonly string[]> {
    const { items } = JSON.parse((await this.server.ask('GET', `${core}/events?fieldSelector=involvedObject.name=${name}`)).text) as {
      items: { reason: string; message: string; source: { component: string } }[];
    };
    return items.map(({ reason, message, source }) => `${source.component} ${reason}: ${message}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

/** No kubelet is there to end a pod gracefully. */
export function template(app: string, image = 'i:1'): { metadata: { labels: Record<string, string> }; spec: { containers: object[] } } {
  return { metadata: { labels: { app } }, spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image }] } } as ReturnType<typeof template>;
}

export function workload(name: string, spec: object): object {
  return { metadata: { name }, spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec } };
}
