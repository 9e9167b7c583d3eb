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
