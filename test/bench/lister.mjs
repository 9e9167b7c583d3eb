// Reads one list from a process of its own, so that whoever measures something else meanwhile is not kept busy by it.
// In: { url, path, headers, credentials, times } as a message. Out: { firstByteMs, wholeMs, bytes } of each time.
import { Agent, get } from 'node:https';

process.once('message', async ({ url, path, headers, credentials, times }) => {
  const agent = new Agent({ keepAlive: true, ...credentials });
  // Of the first byte, what is the connection's is not the list's: it is open before.
  await list(new URL('/version', url), { agent });
  const readings = [];
  for (let i = 0; i < times; i++) readings.push(await list(new URL(path, url), { agent, headers }));
  process.send({ readings }, () => process.exit(0));
});

function list(url, options) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      const firstByteMs = performance.now() - start;
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode, firstByteMs, wholeMs: performance.now() - start, bytes }));
    }).on('error', reject);
  });
}
