// What a server under test keeps: what is resident also shows how lazily garbage is collected.
import { ask } from './hostile-client.mjs';

/** The heap in use after a collection, and what buffers hold outside of it, in bytes. */
export async function keptBytes(server) {
  const { body } = await ask(server, { path: '/debug/pprof/heap?gc=1&debug=1', timeoutMs: 60_000 });
  const [heap, external] = ['heapUsed', 'external'].map((name) => Number(new RegExp(`^# ${name} = (\\d+)`, 'm').exec(body.toString())?.[1]));
  return heap + external;
}
