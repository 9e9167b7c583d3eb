// How far something long has come, in one line of a terminal that is written over and over.

export interface Progress {
  /** So many of so many are done; `what` is being worked on. */
  report(done: number, total: number, what: string): void;
  /** The line is ended, so that what follows begins a new one. */
  end(): void;
}

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** More often nobody can see it. */
const everyMs = 50;
const barWidth = 30;

/** Says nothing where nobody looks: in a file, a pipe, a log of CI. */
export function progressBar(label: string, terminal: Terminal, now: () => number): Progress {
  if (terminal.isTTY !== true) return { report: () => {}, end: () => {} };
  let last = -Infinity;
  let drawn = false;
  return {
    report(done, total, what) {
      if (now() - last < everyMs && done < total) return;
      last = now();
      drawn = true;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.round(share * barWidth);
      const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
      const line = `${label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done} of ${total}  ${what}`;
      terminal.write(`\r\x1b[K${line.slice(0, (terminal.columns ?? 80) - 1)}`);
    },
    end() {
      if (drawn) terminal.write('\n');
    },
  };
}
