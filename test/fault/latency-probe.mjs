// A user beside others, in a thread of its own: asks for its ConfigMap over and over, and tells the 99th percentile since it was last asked.
import https from 'node:https';
import { parentPort, workerData } from 'node:worker_threads';

const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
const everyMs = 2;
let took = [];
let began = performance.now();

parentPort.on('message', () => {
  // What is under way counts as well: it may be the one that waits.
  const sorted = [...took, ...(began === 0 ? [] : [performance.now() - began])].sort((a, b) => a - b);
  parentPort.postMessage(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0);
  took = [];
});
probe();

function probe() {
  began = performance.now();
  const done = () => {
    took.push(performance.now() - began);
    began = 0;
    setTimeout(probe, everyMs);
  };
  const headers = { authorization: 'Bearer admin-token' };
  https
    .get(`${workerData.url}/api/v1/namespaces/default/configmaps`, { agent, headers }, (response) => response.resume().once('end', done))
    .once('error', done);
}
