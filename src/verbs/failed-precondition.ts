// What the original's storage says about an object that is not the one the client meant.
import { shownKeyOf } from '#resource/keys.ts';
import type { Call } from '#verbs/call.ts';

export interface Unmet {
  readonly what: 'UID' | 'ResourceVersion';
  readonly asked: string;
  readonly stored: string | undefined;
}

export function failedPrecondition(call: Call, { what, asked, stored = '' }: Unmet, dryRun: boolean): string {
  const key = shownKeyOf(call.hub, call, dryRun);
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${stored}`;
}
