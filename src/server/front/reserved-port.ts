// A port that takes connections before there is a server for them. They wait, so that a client that asks again and again whether a server is up
// (envtest: ten times a second) is answered in the moment it is, and not at its next attempt.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export class ReservedPort {
  readonly #server: Server;
  readonly #waiting = new Set<Socket>();
  #isTaken = false;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', this.#wait);
  }

  /** 0: any free one. */
  static async open(host: string, port: number): Promise<ReservedPort> {
    const server = createServer();
    const reserved = new ReservedPort(server);
    server.listen(port, host);
    await once(server, 'listening');
    return reserved;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on the port is the server's: what waits, what comes, and when it is closed. */
  handTo(front: Server): void {
    this.#isTaken = true;
    this.#server.off('connection', this.#wait);
    front.listen(this.#server);
    for (const socket of this.#waiting) {
      socket.off('error', ignored);
      front.emit('connection', socket);
    }
    this.#waiting.clear();
  }

  /** When there will be no server after all. */
  close(): void {
    if (this.#isTaken) return;
    this.#server.close();
    for (const socket of this.#waiting) socket.destroy();
  }

  readonly #wait = (socket: Socket): void => {
    this.#waiting.add(socket);
    socket.on('error', ignored).once('close', () => this.#waiting.delete(socket));
  };
}

/** The client has given up; its socket closes, and is forgotten. */
function ignored(): void {}
