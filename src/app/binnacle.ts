// Entry point of the bundle and of `tsx src/app/binnacle.ts`: the only module that does something when loaded.
import { basename } from 'node:path';
import { main } from '#app/main.ts';

main(process.argv.slice(2), basename(process.argv[1] ?? '') === 'kube-apiserver' ? 'kube-apiserver' : 'binnacle').catch((problem: unknown) => {
  process.stderr.write(`${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}\n`);
  // Whatever is open by now must not keep a server alive that will never be ready.
  process.exit(1);
});
