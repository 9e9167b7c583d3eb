// Watches by node as kubelets have them, and how long after the request of a pod its node hears of it.
import { setTimeout as pause } from 'node:timers/promises';
import type { Http2Connection } from './http2-connection.ts';
import { concurrently } from './reading.ts';
import type { Target } from './target.ts';

/** Kubelets have a connection each; so many of ours share one, because both ends of all of them are on one machine. */
const watchesPerConnection = 10;
const newline = 10;
const longestWaitMs = 30_000;
const added = /^\{"type":"ADDED".*?"name":"(churn-[^"]+)"/;

export class SimulatedNodes implements Disposable {
  readonly #connections: Http2Connection[] = [];
  /** When pods were asked for whose nodes have not heard of them. */
  readonly #expected = new Map<string, number>();
  /** In ms. */
  readonly lags: number[] = [];

  static async watch(target: Target, count: number): Promise<SimulatedNodes> {
    const nodes = new SimulatedNodes();
    const { resourceVersion } = JSON.parse((await target.expect(200, { path: '/api/v1/pods?limit=1' })).body.toString()).metadata;
    await concurrently(8, Math.ceil(count / watchesPerConnection), async (i) => {
      const connection = await target.connectHttp2();
      nodes.#connections.push(connection);
      const first = i * watchesPerConnection;
      const own = Array.from({ length: Math.min(watchesPerConnection, count - first) }, (_, at) => `node-${first + at}`);
      await Promise.all(own.map((name) => nodes.#watch(connection, name, resourceVersion)));
    });
    return nodes;
  }

  #watch(connection: Http2Connection, node: string, resourceVersion: string): Promise<void> {
    const query = `watch=true&fieldSelector=spec.nodeName%3D${node}&resourceVersion=${resourceVersion}&timeoutSeconds=3600`;
    let rest: Buffer = Buffer.alloc(0);
    return connection.follow(`/api/v1/pods?${query}`, {}, (piece) => {
      let bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline)) {
        this.#heard(bytes.toString('latin1', 0, end));
        bytes = bytes.subarray(end + 1);
      }
      rest = bytes;
    });
  }

  #heard(event: string): void {
    const name = added.exec(event)?.[1];
    const asked = name === undefined ? undefined : this.#expected.get(name);
    if (name === undefined || asked === undefined) return;
    this.#expected.delete(name);
    this.lags.push(performance.now() - asked);
  }

  /** A pod of this name is asked for now. */
  expect(name: string): void {
    this.#expected.set(name, performance.now());
  }

  /** Resolves when the nodes have heard of all pods. */
  async settled(): Promise<void> {
    for (const began = performance.now(); this.#expected.size > 0; await pause(20)) {
      if (performance.now() - began > longestWaitMs) throw new Error(`${this.#expected.size} pods that their nodes never heard of`);
    }
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection[Symbol.dispose]();
  }
}
