// The greedy user of overload.mjs, in a process of its own so that its work does not count as the server's. Raw sockets and
// a parser that knows just enough: the load should be the server's, not this client's.
import { setPriority } from 'node:os';
import tls from 'node:tls';

const [port, path, connections] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer bob-token\r\n\r\n`);
const codes = {};
let going = false;
let running = 0;
setPriority(10);

const sockets = [];
while (sockets.length < connections) sockets.push(...(await Promise.all(Array.from({ length: Math.min(50, connections - sockets.length) }, connect))));
process.send({ connected: sockets.length });
process.on('message', (message) => {
  if (message === 'go') {
    going = true;
    running = sockets.length;
    for (const socket of sockets) socket.write(request);
  }
  if (message === 'stop') going = false;
});

function connect() {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }, () => resolve(socket));
    socket.setNoDelay(true);
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
      const body = received.indexOf('\r\n\r\n') + 4;
      if (body < 4) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < body + length) return;
      count(received.slice(9, 12));
      received = '';
      next(socket);
    });
    socket.on('error', (problem) => {
      reject(problem);
      count(problem.code);
    });
    socket.on('close', () => going && finished());
  });
}

function next(socket) {
  if (going) socket.write(request);
  else finished();
}

function finished() {
  running -= 1;
  if (running > 0) return;
  process.send({ codes }, () => process.exit(0));
}

function count(code) {
  codes[code] = (codes[code] ?? 0) + 1;
}
