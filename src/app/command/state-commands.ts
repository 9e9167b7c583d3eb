// `binnacle export` and `binnacle import`: the state of a running server as a file, and back.
import { createWriteStream, readFileSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { once } from 'node:events';
import { environmentOfUser } from '#base/outgoing/authorities.ts';
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import { adminKubeconfig } from '#app/command/kubeconfig-command.ts';
import { systemClock } from '#base/clock.ts';
import { progressBar } from '#cli/progress-bar.ts';
import { exportState, type ExportSummary } from '#cli/state/export-state.ts';
import { importState, type ImportSummary } from '#cli/state/import-state.ts';
import { documentOf, objectsIn } from '#cli/state/state-file.ts';
import { configOf } from '#client/client-config.ts';
import { connect, type ConnectedClient } from '#client/connect.ts';
import { readKubeconfig } from '#client/kubeconfig.ts';
import { RestMapper } from '#client/rest-mapper.ts';

export async function exportCommand(flags: FlagValues): Promise<void> {
  const file = flags.text('output');
  await using server = connected(flags, 'binnacle-export');
  const progress = progressBar('export', process.stderr, () => performance.now());
  const target = file === '' ? process.stdout : createWriteStream(`${file}.new`, { mode: 0o600 });
  try {
    if (file !== '') await once(target, 'open');
    const summary = await reachable(() => exportState(server.client, (object) => written(target, documentOf(object)), progress));
    if (file !== '') await new Promise<void>((resolve, reject) => target.once('error', reject).end(resolve));
    if (file !== '') renameSync(`${file}.new`, file);
    progress.end();
    process.stderr.write(exportReport(summary, file));
  } catch (problem) {
    if (file !== '') rmSync(`${file}.new`, { force: true });
    throw problem;
  }
}

function written(target: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => target.write(text, (problem) => (problem ? reject(problem) : resolve())));
}

function exportReport({ objects, terminating, missing, isOneMoment }: ExportSummary, file: string): string {
  return [
    `exported ${objects} objects${file === '' ? '' : ` to ${file}`}`,
    ...(terminating > 0 ? [`left out: ${terminating} that are being deleted`] : []),
    ...missing.map((groupVersion) => `left out: ${groupVersion}, which does not answer`),
    ...(isOneMoment ? [] : ['the server had forgotten the moment at which the export began: changes since then may be half in it']),
    '',
  ].join('\n');
}

export async function importCommand(flags: FlagValues, files: readonly string[]): Promise<void> {
  const [file] = files;
  if (file === undefined || files.length > 1) throw new FlagError('import takes one file, or - for the standard input');
  const objects = [...objectsIn(readFileSync(file === '-' ? 0 : file, 'utf8'))];
  await using server = connected(flags, 'binnacle-import');
  const progress = progressBar('import', process.stderr, () => performance.now());
  const parts = { client: server.client, mapper: new RestMapper(server.client), wait: (milliseconds: number) => sleep(milliseconds) };
  const summary = await reachable(() => importState(objects, parts, progress));
  progress.end();
  process.stderr.write(importReport(summary));
  if (summary.refused.length > 0) process.exitCode = 1;
}

const shownRefusals = 20;

function importReport({ created, updated, refused }: ImportSummary): string {
  const shown = refused.slice(0, shownRefusals).map(({ title, why }) => `refused: ${title}: ${why}`);
  const more = refused.length > shownRefusals ? [`and ${refused.length - shownRefusals} more`] : [];
  return [...shown, ...more, `imported ${created + updated} objects: ${created} created, ${updated} updated, ${refused.length} refused`, ''].join('\n');
}

function connected(flags: FlagValues, userAgent: string): ConnectedClient {
  const file = flags.text('kubeconfig') || adminKubeconfig(flags);
  const kubeconfig = readKubeconfig({ file, env: process.env, homeDir: '' });
  return connect(configOf(kubeconfig, { env: environmentOfUser(process.env), clock: systemClock }), { userAgent });
}

async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    const { code, cause } = problem as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
    if ([code, cause?.code].includes('ECONNREFUSED')) throw new Error('no server answers where the kubeconfig says: is it running?', { cause: problem });
    throw problem;
  }
}
