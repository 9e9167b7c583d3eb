// A server that is killed while many clients work on it.
import https from 'node:https';

/**
 * `work(agent, i, killed)` is what client i does until `killed.value` says that the server is going; what fails after that is no fault.
 * The server gets SIGKILL as soon as `enough()` holds or nobody has anything left to do. Resolves when it and all clients are gone.
 */
export async function killAtWork(server, { clients, work, enough }) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: clients });
  const killed = { value: false };
  const workers = Array.from({ length: clients }, (_, i) => work(agent, i, killed));
  const allDone = Promise.all(workers);
  let idle = false;
  void allDone.then(() => (idle = true));
  while (!enough() && !idle) await new Promise((resolve) => setTimeout(resolve, 2));
  killed.value = true;
  const gone = new Promise((resolve) => server.child.once('exit', resolve));
  server.child.kill('SIGKILL');
  await Promise.all([gone, allDone]);
  agent.destroy();
}
