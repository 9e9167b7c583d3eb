import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findKubectl } from '#app/envtest/kubectl-main.ts';

test('kubectl is the first on PATH that can run and is not this program, by no link either', () => {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-kubectl-'));
  const folder = (name: string) => {
    mkdirSync(join(dir, name));
    return join(dir, name);
  };
  const [own, linked, plain, real] = [folder('own'), folder('linked'), folder('plain'), folder('real')];
  const self = join(own, 'kubectl');
  for (const file of [self, join(plain, 'kubectl'), join(real, 'kubectl')]) writeFileSync(file, '');
  chmodSync(self, 0o755);
  chmodSync(join(real, 'kubectl'), 0o755);
  symlinkSync(self, join(linked, 'kubectl'));
  expect(findKubectl([own, linked, '', '/nowhere', plain].join(':'), self)).toBeUndefined();
  expect(findKubectl([own, linked, '', '/nowhere', plain, real].join(':'), self)).toBe(join(real, 'kubectl'));
  rmSync(dir, { recursive: true });
});
