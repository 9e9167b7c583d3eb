import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A new name survives a crash only if the directory that holds it is on the disk. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
