// /debug/pprof: what a Node.js program can honestly show. A processor profile and a heap snapshot in the formats of
// Chrome's developer tools. Behind authorization like every path; the long-running ones escape the deadline.
import type { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';
import type { Exchange } from '#server/front/exchange.ts';
import type { PathRouter } from '#server/path-router.ts';

const index = `<html>
<head>
<title>/debug/pprof/</title>
</head>
<body>
<ul>
<li><a href="profile?seconds=30">profile</a>: processor profile (.cpuprofile)</li>
<li><a href="heap">heap</a>: heap snapshot (.heapsnapshot); the server does nothing else meanwhile</li>
<li><a href="heap?debug=1&amp;gc=1">heap?debug=1&amp;gc=1</a>: the numbers of the heap, after a collection</li>
</ul>
</body>
</html>
`;

const longestSeconds = 300;

export function serveProfiles(router: PathRouter): void {
  const profiles = new Profiles();
  router.under('/debug/pprof', async (exchange) => exchange.send(404, 'text/plain; charset=utf-8', 'Unknown profile\n'));
  router.exact('/debug/pprof', async (exchange) => redirect(exchange, '/debug/pprof/'), { listed: false });
  router.exact('/debug/pprof/', async (exchange) => exchange.send(200, 'text/html; charset=utf-8', index), { listed: false });
  router.exact('/debug/pprof/profile', (exchange) => profiles.sendCpuProfile(exchange), { listed: false });
  router.exact('/debug/pprof/heap', (exchange) => profiles.sendHeap(exchange), { listed: false });
}

function redirect(exchange: Exchange, to: string): void {
  exchange.setHeader('location', to);
  if (exchange.method === 'GET' || exchange.method === 'HEAD') exchange.send(302, 'text/html; charset=utf-8', `<a href="${to}">Found</a>.\n\n`);
  else exchange.send(302, '', '');
}

/** One at a time: taking a profile slows the server down. */
class Profiles {
  #busy = false;

  async sendCpuProfile(exchange: Exchange): Promise<void> {
    const seconds = Math.min(Number(exchange.query.get('seconds') ?? 30) || 30, longestSeconds);
    await this.#alone(exchange, async (session) => {
      await session.post('Profiler.enable');
      await session.post('Profiler.start');
      await elapsed(seconds * 1000, exchange.signal);
      const { profile } = await session.post('Profiler.stop');
      exchange.setHeader('content-disposition', 'attachment; filename="binnacle.cpuprofile"');
      exchange.send(200, 'application/json', JSON.stringify(profile));
    });
  }

  /** As upstream: `gc` collects the garbage first, `debug` asks for text. */
  async sendHeap(exchange: Exchange): Promise<void> {
    const { query } = exchange;
    await this.#alone(exchange, async (session) => {
      if (Number(query.get('gc') ?? 0) > 0) await session.post('HeapProfiler.collectGarbage');
      if (Number(query.get('debug') ?? 0) > 0) return exchange.send(200, 'text/plain; charset=utf-8', heapNumbers());
      exchange.setHeader('content-disposition', 'attachment; filename="binnacle.heapsnapshot"');
      const stream = exchange.stream(200, 'application/octet-stream');
      session.on('HeapProfiler.addHeapSnapshotChunk', ({ params }) => void stream.write(params.chunk));
      await session.post('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
      stream.end();
    });
  }

  async #alone(exchange: Exchange, work: (session: Session) => Promise<void>): Promise<void> {
    if (this.#busy) return exchange.send(500, 'text/plain; charset=utf-8', 'Could not enable profiling: profiling already in use\n');
    this.#busy = true;
    const inspector = await import('node:inspector/promises');
    const session = new inspector.Session();
    session.connect();
    try {
      await work(session);
    } finally {
      session.disconnect();
      this.#busy = false;
    }
  }
}

function heapNumbers(): string {
  const numbers = { ...getHeapStatistics(), ...process.memoryUsage() };
  return Object.entries(numbers)
    .map(([name, value]) => `# ${name} = ${value}\n`)
    .join('');
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
