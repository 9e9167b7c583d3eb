// What the program tells and returns when it cannot do what it was asked for.
import { FlagError } from '#app/flags/flags.ts';
import { PortError } from '#server/front/port-error.ts';
import { DirectoryInUseError } from '#store/embedded/directory-claim.ts';

/** The codes of `binnacle`; as kube-apiserver it is always 1, as there. */
export const exitCodes = { failed: 1, commandLine: 2, portTaken: 3, directoryInUse: 4 } as const;

export function exitCodeOf(problem: Error): number {
  if (problem instanceof FlagError) return exitCodes.commandLine;
  if (problem instanceof PortError) return exitCodes.portTaken;
  return problem instanceof DirectoryInUseError ? exitCodes.directoryInUse : exitCodes.failed;
}

/** What the operator can mend needs no stack: wrong flags and files, a data directory in use or damaged, a port that is taken. The rest are our bugs. */
export function isExpected(problem: unknown): problem is Error {
  if (!(problem instanceof Error)) return false;
  return !(problem instanceof TypeError || problem instanceof RangeError || problem instanceof ReferenceError || problem instanceof SyntaxError);
}
