// The health of the other parts of a control plane, asked where they listen by default. Old clients look at it.
import { request } from 'node:https';
import type { KubernetesObject } from '#api/object.ts';
import type { Store } from '#store/store.ts';

const probeTimeoutMs = 2000;

/** In the order in which the original lists them. */
export async function componentStatuses(store: Store): Promise<readonly KubernetesObject[]> {
  return Promise.all([probe('scheduler', 'https://127.0.0.1:10259/healthz'), probe('controller-manager', 'https://127.0.0.1:10257/healthz'), ownStore(store)]);
}

async function ownStore(store: Store): Promise<KubernetesObject> {
  try {
    await store.revision();
    return status('etcd-0', 'True', { message: 'ok' });
  } catch (error) {
    return status('etcd-0', 'False', { message: '', error: String(error) });
  }
}

function status(name: string, healthy: string, text: { message?: string; error?: string }): KubernetesObject {
  return { metadata: { name }, conditions: [{ type: 'Healthy', status: healthy, ...text }] };
}

export function probe(name: string, url: string): Promise<KubernetesObject> {
  return new Promise((resolve) => {
    const sent = request(url, { rejectUnauthorized: false, timeout: probeTimeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(status(name, response.statusCode === 200 ? 'True' : 'False', { message: Buffer.concat(chunks).toString() })));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', (error) => resolve(status(name, 'False', { message: `Get "${url}": ${dialProblem(error)}` })));
    sent.end();
  });
}

/** In the words of Go, which people search for. */
function dialProblem(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  if (error.code !== 'ECONNREFUSED') return error.message;
  return `dial tcp ${error.address}:${error.port}: connect: connection refused`;
}
