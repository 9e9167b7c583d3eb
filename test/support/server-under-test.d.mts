import type { ChildProcess } from 'node:child_process';

export interface ServerUnderTest {
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  readonly pki: string;
  readonly logFile: string;
  readonly child: ChildProcess;
  readonly stop: () => Promise<void>;
}

export const root: string;
export function startServer(options?: {
  readonly flags?: readonly string[];
  readonly from?: 'bundle' | 'sources';
  readonly port?: number;
  readonly dir?: string;
  readonly keep?: boolean;
  readonly checkout?: string | undefined;
  readonly everyMs?: number;
  readonly through?: readonly string[];
  readonly watched?: boolean;
}): Promise<ServerUnderTest>;
export function leakedSecrets(logFile: string, secrets: readonly string[], keyFolders: readonly string[]): string | undefined;
export function freePort(): Promise<number>;
export function untilReady(
  port: number,
  child: ChildProcess,
  options?: { readonly everyMs?: number; readonly hint?: string; readonly seconds?: number },
): Promise<void>;
