// The real kube-controller-manager on a real kube-apiserver whose data a server of ours has helped to write. Every object of ours (full-1…) has a twin that the original
// has written (full-0…): the manager has to make the same of both, and to complain about ours only where it complains about the twin.
import { readFileSync } from 'node:fs';
import { startManager, stopAll } from '../../support/control-plane-programs.mjs';
import { complaintsOf, races } from '../control-plane-complaints.mjs';
import { until } from './clients.mjs';
import { namespace } from './objects.mjs';

/** Controllers race for pods without an owner and for volumes: which of two wins is chance. */
const racedFor = new Set(['pods', 'persistentvolumes', 'persistentvolumeclaims']);
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;

/** `server` is the original, `made` the uids of what was written before. */
export async function managedAlike(server, { pki, dir, resources, made }) {
  const patience = ['--leader-elect=false', '--kube-api-qps=2000', '--kube-api-burst=4000'];
  const { child, logFile } = await startManager({ url: server.url, pki }, dir, patience);
  try {
    const problems = [];
    const seen = await until(() => observed(server), 60, 'deployments seen by the manager');
    if (seen) problems.push(seen);
    let different = [];
    await until(async () => (different = await differentTwins(server, resources, made)).length === 0, 30, 'twins');
    problems.push(...different);
    await stopAll([child]);
    const { own, known } = complaintsByWriter(readFileSync(logFile, 'utf8'));
    problems.push(...own.filter((line) => !known.has(line) && !races.includes(line)).map((line) => `the manager complains about ours only: ${line}`));
    return { says: `the real manager makes the same of ${made.size} objects (${known.size} complaints about those of the original)`, problems };
  } finally {
    await stopAll([child]);
  }
}

async function observed(server) {
  const { object } = await server.get(deployments);
  const twins = object.items.filter(({ metadata }) => /^full-[01]$/.test(metadata.name));
  return twins.length === 2 && twins.every(({ status }) => status?.observedGeneration >= 1);
}

async function differentTwins(server, resources, made) {
  const problems = [];
  for (const { plural, listPath } of resources.filter(({ plural }) => !racedFor.has(plural))) {
    const { object } = await server.get(listPath);
    const items = object.items.filter(({ metadata }) => made.has(metadata.uid));
    const [theirs, ours] = [0, 1].map((index) => new Map(items.filter(({ metadata }) => metadata.name.startsWith(`full-${index}`)).map(state)));
    for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
      if (theirs.get(name) !== ours.get(name)) problems.push(`${plural} ${name}, theirs ${theirs.get(name)} and ours ${ours.get(name)}`);
    }
  }
  return problems;
}

/** Addresses, times and uids. */
const chance = /"\d+\.\d+\.\d+\.\d+"|"\d{4}-\d\d-\d\dT[\d:.]+Z"|"[0-9a-f]{8}-[0-9a-f-]{27}"/g;

/** Its name, and all of it that does not differ from one object to the next. */
function state({ metadata: { name, labels, annotations, finalizers, deletionTimestamp }, status: _, ...object }) {
  const isGoing = deletionTimestamp !== undefined;
  const text = anyTwin(JSON.stringify({ ...object, labels, annotations, finalizers, isGoing }));
  return [anyTwin(name), text.replace(chance, '"…"')];
}

/** Which controller's pods a budget for all of them is counted by, and who is faster with a pod. */
const byChance = /does not implement the scale subresource|Only one reference can have Controller/;

function complaintsByWriter(text) {
  const lines = text.split('\n');
  const about = (index) => complaintsOf(anyTwin(lines.filter((line) => line.includes(`full-${index}`) && !byChance.test(line)).join('\n')));
  return { known: new Set(about(0)), own: about(1) };
}

function anyTwin(text) {
  return text.replace(/full-[01]/g, 'full-N');
}
