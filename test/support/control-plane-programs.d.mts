import type { ChildProcess } from 'node:child_process';

export const bin: string;
export interface Answer {
  readonly code: number;
  readonly text: string;
}
export type Ask = (method: string, path: string, body?: object, type?: string) => Promise<Answer>;
export function startOriginal(
  controllers: readonly string[],
  prepare?: (ask: Ask) => Promise<void>,
  flags?: readonly string[],
): Promise<{ readonly url: string; readonly ask: Ask; readonly pki: string; readonly stop: () => Promise<void> }>;

interface ServerToServe {
  readonly url: string;
  readonly pki: string;
}
interface StartedProgram {
  readonly logFile: string;
  readonly child: ChildProcess;
}
export function startManager(server: ServerToServe, dir: string, flags?: readonly string[]): Promise<StartedProgram>;
export function startScheduler(server: ServerToServe, dir: string, flags?: readonly string[]): Promise<StartedProgram>;
export function stopAll(children: readonly ChildProcess[]): Promise<unknown>;
