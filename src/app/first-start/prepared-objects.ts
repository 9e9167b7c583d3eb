// What every cluster begins with (namespaces, default roles, flow schemas, APIServices) is the same for all servers of a build but for uids
// and times. The build lets a server make it through the API (tools/make-prepared-objects.ts) and keeps the stored bytes; a first start
// writes them in one go, and its bootstrap then finds everything in place.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Clock } from '#base/clock.ts';
import { formatTime } from '#schema/time.ts';
import { type Entry, rangeOf, type Store } from '#store/store.ts';

/** The time at which prepared objects were made: it stands wherever a start puts its own. */
export const preparedAt = new Date('2001-02-03T04:05:06Z');

const timeHole = formatTime(preparedAt);
const uidHole = '00000000-0000-4000-8000-000000000000';

/** Of these the server makes the same objects whatever its flags and certificates are. */
const kinds = [
  'namespaces',
  'clusterroles',
  'clusterrolebindings',
  'roles',
  'rolebindings',
  'priorityclasses',
  'prioritylevelconfigurations',
  'flowschemas',
  'apiregistration.k8s.io/apiservices',
];

/** One line for each object: its key, a tab, its stored JSON with holes. In the order in which they were made. */
export async function readPrepared(store: Store): Promise<string> {
  const pages = await Promise.all(kinds.map((kind) => store.list(rangeOf(`/registry/${kind}/`))));
  const entries = pages.flatMap((page) => page.entries).sort((one, other) => one.revision - other.revision);
  return entries.map(lineOf).join('');
}

function lineOf({ key, value }: Entry): string {
  const text = Buffer.from(value).toString('utf8');
  const { uid } = (JSON.parse(text) as { metadata: { uid: string } }).metadata;
  return `${key}\t${text.replace(uid, uidHole)}\n`;
}

/** Writes prepared objects into a store that nothing was ever written to. */
export async function fillPrepared(store: Store, prepared: string, clock: Clock): Promise<void> {
  const time = formatTime(clock.now());
  const lines = prepared.split('\n').slice(0, -1);
  // Side by side, so that a durable store makes one transaction of them. A start that is killed before leaves none or some; the next one makes the rest.
  await Promise.all(
    lines.map((line) => {
      const tab = line.indexOf('\t');
      const json = line
        .slice(tab + 1)
        .replace(uidHole, randomUUID())
        .replaceAll(timeHole, time);
      return store.compareAndSet(line.slice(0, tab), 0, Buffer.from(json));
    }),
  );
}

/** What the build has prepared, where it is what this server would make itself; undefined: the server makes its objects one by one. */
export function preparedFor(options: ServerOptions): string | undefined {
  const folder = process.env['BINNACLE_DIST'];
  if (folder === undefined || !isPlain(options)) return undefined;
  const file = join(folder, 'prepared-objects');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** No flag changes what is served, what admission or the loops make of the server's own writes, how they are stored, or asks for a record of them. */
export function isPlain({ runtimeConfig, featureGates, admission, flags }: ServerOptions): boolean {
  const { exactly, enabled, configFile } = admission;
  return (
    runtimeConfig === '' &&
    Object.keys(featureGates).length === 0 &&
    exactly === undefined &&
    enabled.length === 0 &&
    configFile === '' &&
    flags.text('audit-policy-file') === '' &&
    flags.text('encryption-provider-config') === '' &&
    flags.boolean('enable-priority-and-fairness')
  );
}
