// A server that ours asks, in a process of its own (webhook-process.mjs), which can be killed, stopped and started again on the same port.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/server-under-test.mjs';

/** `server` is the one under test: the other shows its certificate. */
export class OtherServer {
  #server;
  #child;
  port = 0;

  constructor(server) {
    this.#server = server;
  }

  async start() {
    this.port ||= await freePort();
    this.#child = fork(fileURLToPath(new URL('webhook-process.mjs', import.meta.url)), [this.#server.pki, String(this.port)]);
    await once(this.#child, 'message');
  }

  async kill() {
    if (this.#child.exitCode !== null) throw new Error('the other server ended by itself');
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  /** It takes connections and requests, and says nothing. */
  hang() {
    this.#child.kill('SIGSTOP');
  }

  goOn() {
    this.#child.kill('SIGCONT');
  }
}
