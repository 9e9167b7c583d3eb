// The program `etcd` of dist/envtest: serves the stub until it is told to stop or its parent is gone.
import { startEtcdStub } from '#app/envtest/etcd-stub.ts';
import { watchParent } from '#app/envtest/watch-parent.ts';

const help = `A stand-in for etcd, for environments of envtest: it answers /health and keeps nothing.
The kube-apiserver beside it keeps its objects in memory.

Usage:
  etcd [flags]

Flags (others of etcd are accepted and have no effect):
  --listen-client-urls 'http://localhost:2379'
    Where /health is answered.
  --unsafe-no-fsync 'false'
    Nothing is written, so nothing is synced.
  --help
  --version
`;

export async function etcdMain(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) return void process.stdout.write(help);
  if (argv.includes('--version')) return void process.stdout.write('etcd Version: 3.6.0 (stub of binnacle)\n');
  watchParent(() => process.exit(0));
  process.on('SIGTERM', () => process.exit(0)).on('SIGINT', () => process.exit(0));
  for (const url of clientUrls(argv)) await startEtcdStub(url);
}

/** The last one given counts, as with etcd. */
export function clientUrls(argv: readonly string[]): readonly string[] {
  const name = '--listen-client-urls';
  const given = argv.flatMap((word, index) => (word === name ? [argv[index + 1] ?? ''] : word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : []));
  return (given.at(-1) ?? 'http://localhost:2379').split(',');
}
