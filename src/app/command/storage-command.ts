// `binnacle storage check` and `binnacle storage migrate`: what lies in a store, without a server.
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import { optionsOf, type ServerOptions } from '#app/flags/options.ts';
import { type StoreKind, storeKind } from '#app/open-store.ts';
import { checkStorage, type CheckSummary } from '#app/storage/check-storage.ts';
import { copyStorage, rewriteStorage } from '#app/storage/migrate-storage.ts';
import { openObjects } from '#app/storage/open-objects.ts';
import { progressBar } from '#cli/progress-bar.ts';

export async function storageCommand(flags: FlagValues, words: readonly string[]): Promise<void> {
  const [word] = words;
  if (words.length !== 1 || (word !== 'check' && word !== 'migrate')) throw new FlagError('storage takes one word: check or migrate');
  const options = optionsOf(flags, { homeDir: homedir() });
  if (flags.list('etcd-servers-overrides').length > 0) throw new FlagError('--etcd-servers-overrides: each etcd is looked at by itself, with --etcd-servers');
  const kind = await storeKind(options);
  if (kind === 'memory') throw new FlagError('--memory: what is in the memory of a server is gone with it');
  if (kind === 'embedded' && !existsSync(join(options.dataDir, 'store'))) throw new FlagError(`--data-dir: there is no store in ${options.dataDir}`);
  if (word === 'check') await check(kind, options);
  else if (flags.text('to') === '') await rewrite(kind, options);
  else await copy(kind, options, flags.text('to'));
}

const shownProblems = 50;

function shown(lines: readonly string[]): readonly string[] {
  return lines.length > shownProblems ? [...lines.slice(0, shownProblems), `and ${lines.length - shownProblems} more`] : lines;
}

function tell(lines: readonly string[], problems: readonly string[]): void {
  process.stdout.write([...shown(problems), ...lines, ''].join('\n'));
  if (problems.length > 0) process.exitCode = 1;
}

function progressOf(label: string) {
  return progressBar(label, process.stderr, () => performance.now());
}

async function check(kind: StoreKind, options: ServerOptions): Promise<void> {
  await using opened = await openObjects(kind, options);
  const progress = progressOf('check');
  const summary = await checkStorage(opened, progress);
  progress.end();
  tell(checkReport(summary), summary.problems);
}

function checkReport({ objects, resources, books, unknown, problems }: CheckSummary): readonly string[] {
  return [
    ...shown(unknown.map((key) => `of no resource that is known: ${key}`)),
    `${objects} objects of ${resources} resources, ${books} records of servers, ${unknown.length} keys of no known resource: ${problems.length} problems`,
  ];
}

async function rewrite(kind: StoreKind, options: ServerOptions): Promise<void> {
  await using opened = await openObjects(kind, options);
  const progress = progressOf('migrate');
  const { rewritten, kept, problems } = await rewriteStorage(opened, { progress, eventTtlSeconds: options.eventTtlSeconds });
  progress.end();
  // What they were before lies in the history: the next start forgets it.
  if (kind === 'embedded' && rewritten > 0) writeFileSync(join(options.dataDir, 'rewrite-store'), '', { mode: 0o600 });
  tell([`${rewritten} objects written anew, ${kept} lay there as they would be written, ${problems.length} could not be read`], problems);
}

async function copy(kind: StoreKind, options: ServerOptions, to: string): Promise<void> {
  const isEtcd = /^https?:/.test(to);
  const targetOptions = isEtcd ? { ...options, etcdServers: to.split(',') } : { ...options, etcdServers: [], dataDir: to };
  await using source = await openObjects(kind, options);
  await using target = await openObjects(isEtcd ? 'etcd' : 'embedded', targetOptions);
  const progress = progressOf('migrate');
  const { copied, present, hash } = await copyStorage(source, target, { progress, eventTtlSeconds: options.eventTtlSeconds });
  progress.end();
  tell([`${copied} objects copied to ${to}, ${present} were there; both have the hash ${hash}`], []);
}
