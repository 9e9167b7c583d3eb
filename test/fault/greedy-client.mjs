// The greedy user of overload.mjs, in a process of its own so that its work does not count as the server's.
import https from 'node:https';
import { ask } from './hostile-client.mjs';

const [url, path, connections] = [process.argv[2], process.argv[3], Number(process.argv[4])];
const agent = new https.Agent({ keepAlive: true, maxSockets: connections });
const codes = {};
let stop = false;
process.on('message', () => {
  stop = true;
});
const load = Array.from({ length: connections }, async () => {
  for (let first = true; !stop; first = false) {
    const code = await ask({ url }, { path, token: 'bob-token', agent, timeoutMs: 60_000 }).then(
      (answer) => answer.code,
      (problem) => problem.code ?? problem.message,
    );
    codes[code] = (codes[code] ?? 0) + 1;
    if (first) process.send({ warm: true });
  }
});
await Promise.all(load);
process.send({ codes });
process.disconnect();
process.exit(0);
