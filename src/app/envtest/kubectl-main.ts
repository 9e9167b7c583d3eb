// The program `kubectl` of dist/envtest: the kubectl on PATH, or a sentence that says where to get one.
import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const missing = 'kubectl is not on PATH; https://kubernetes.io/docs/tasks/tools/ says how to install it\n';

export function kubectlMain(argv: readonly string[], self: string, path: string): void {
  const kubectl = findKubectl(path, self);
  if (kubectl === undefined) {
    process.stderr.write(missing);
    process.exit(127);
  }
  const child = spawn(kubectl, argv, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

/** The first on `path` that is not this program itself, by whatever link it is found. */
export function findKubectl(path: string, self: string): string | undefined {
  const own = realpathSync(self);
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'kubectl'))
    .find((file) => isExecutable(file) && realpathSync(file) !== own);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
