// When a data directory is rewritten, so that nothing is left of what was stored in the clear or with keys that are gone: at the first start after
// --encryption-provider-config has got another content, and when the operator asks for it with a file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from '#app/flags/options.ts';

export interface Rewriting {
  readonly isDue: boolean;
  /** Call when the store is open. */
  done(): void;
}

export function rewriteOf({ dataDir, flags }: ServerOptions): Rewriting {
  const [known, asked] = [join(dataDir, 'encryption-configuration'), join(dataDir, 'rewrite-store')];
  const file = flags.text('encryption-provider-config');
  const now = file === '' ? '' : `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
  const before = existsSync(known) ? readFileSync(known, 'utf8') : '';
  return {
    isDue: now !== before || existsSync(asked),
    done() {
      rmSync(asked, { force: true });
      if (now === before) return;
      if (now === '') rmSync(known, { force: true });
      else writeFileSync(known, now, { mode: 0o600 });
    },
  };
}
