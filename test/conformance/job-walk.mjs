// Jobs of every sort, and pods that end as the annotation of their Job says: what batch-walk.mjs does with Jobs.
const core = '/api/v1/namespaces/walk';
const jobs = '/apis/batch/v1/namespaces/walk/jobs';
const indexed = { completionMode: 'Indexed', parallelism: 3, completions: 3 };
const onCode = (action, code) => ({ action, onExitCodes: { operator: 'In', values: [code] } });
const onDisruption = { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] };

/**
 * By name: the spec, and how its pods end by their index (`-` without one, `*` any): `ok`, an exit code, `disrupted` (then the next pod is ok), or
 * not at all (`runs`).
 */
const specs = {
  plain: [{ completions: 3, parallelism: 2 }, { '-': 'ok' }],
  queue: [{ parallelism: 2 }, { '-': 'ok' }],
  indexed: [indexed, { '*': 'ok' }],
  failing: [{ backoffLimit: 0 }, { '-': 1 }],
  'failing-twice': [{ backoffLimit: 1 }, { '-': 1 }],
  'per-index': [
    { ...indexed, backoffLimitPerIndex: 0 },
    { 1: 1, '*': 'ok' },
  ],
  'per-index-again': [
    { ...indexed, backoffLimitPerIndex: 1 },
    { 1: 1, '*': 'ok' },
  ],
  'indexes-limited': [
    { ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 0 },
    { 2: 1, '*': 'runs' },
  ],
  'fail-index': [
    { ...indexed, backoffLimitPerIndex: 3, podFailurePolicy: { rules: [onCode('FailIndex', 3)] } },
    { 0: 3, '*': 'ok' },
  ],
  'fail-job': [
    { ...indexed, podFailurePolicy: { rules: [onCode('FailJob', 42)] } },
    { 1: 42, '*': 'runs' },
  ],
  ignored: [{ backoffLimit: 0, podFailurePolicy: { rules: [onDisruption] } }, { '-': 'disrupted' }],
  counted: [{ backoffLimit: 0, podFailurePolicy: { rules: [onCode('Count', 5)] } }, { '-': 5 }],
  leader: [
    { ...indexed, successPolicy: { rules: [{ succeededIndexes: '0' }] } },
    { 0: 'ok', '*': 'runs' },
  ],
  'two-of-three': [
    { ...indexed, successPolicy: { rules: [{ succeededCount: 2 }] } },
    { 0: 'ok', 2: 'ok', '*': 'runs' },
  ],
  late: [{ activeDeadlineSeconds: 2 }, { '-': 'runs' }],
  held: [{ suspend: true }, {}],
  resumed: [{ suspend: true }, { '-': 'ok' }],
  paused: [{ parallelism: 2 }, { '-': 'runs' }],
  fewer: [{ parallelism: 3 }, { '-': 'runs' }],
  elastic: [{ ...indexed, parallelism: 2, completions: 2 }, { '*': 'runs' }],
  replaced: [{ podReplacementPolicy: 'Failed' }, { '-': 'runs' }],
  foreign: [{ managedBy: 'example.com/other' }, {}],
  selecting: [{ manualSelector: true, selector: { matchLabels: { chosen: 'by-hand' } } }, { '-': 'ok' }, { chosen: 'by-hand' }],
  background: [{}, { '-': 'runs' }],
  foreground: [{}, { '-': 'runs' }],
  orphan: [{}, { '-': 'runs' }],
};

export async function walkJobs(steps) {
  const { ask, merge, until } = steps;
  const ends = Object.fromEntries(Object.entries(specs).map(([name, [, byIndex]]) => [name, { ...byIndex }]));
  await ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  for (const [name, [spec, , labels]] of Object.entries(specs)) {
    const template = { metadata: { labels: { ...labels, job: name } }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    await ask('POST', jobs, { metadata: { name }, spec: { template, ...spec } });
  }
  const job = (name) => ask('GET', `${jobs}/${name}`);
  const plays = (holds) =>
    until(async () => {
      const didSomething = await playPods(steps, 'job', (pod) => endOf(pod, ends));
      return !didSomething && holds();
    });
  const ready = (name, count) => plays(async () => (await job(name)).status.ready === count);
  await ready('paused', 2);
  await merge(`${jobs}/paused`, { spec: { suspend: true } });
  await until(async () => (await job('held')).status.conditions?.[0]?.type === 'Suspended');
  await merge(`${jobs}/resumed`, { spec: { suspend: false } });
  await ready('fewer', 3);
  await merge(`${jobs}/fewer`, { spec: { parallelism: 1 } });
  await ready('elastic', 2);
  await merge(`${jobs}/elastic`, { spec: { parallelism: 3, completions: 3 } });
  await ready('elastic', 3);
  await replacePod(steps, ready);
  for (const propagationPolicy of ['Background', 'Foreground', 'Orphan']) {
    const name = propagationPolicy.toLowerCase();
    await ready(name, 1);
    await ask('DELETE', `${jobs}/${name}?propagationPolicy=${propagationPolicy}`);
  }
  const endless = new Set(['held', 'paused', 'fewer', 'elastic', 'replaced', 'foreign', 'background', 'foreground', 'orphan']);
  for (const name of Object.keys(specs).filter((one) => !endless.has(one))) await plays(async () => hasEnded(await job(name)));
}

/** A pod that is about to go has no successor before it has ended. */
async function replacePod({ ask, list, until }, ready) {
  await ready('replaced', 1);
  const [{ metadata }] = await list(`${core}/pods?labelSelector=job%3Dreplaced`);
  const { name } = metadata;
  await ask('POST', `${core}/pods/${name}/binding`, { metadata: { name }, target: { apiVersion: 'v1', kind: 'Node', name: 'n1' } });
  await ask('DELETE', `${core}/pods/${name}`);
  await until(async () => (await ask('GET', `${jobs}/replaced`)).status.terminating === 1);
}

function endOf({ metadata }, ends) {
  const ofJob = ends[metadata.labels.job];
  const end = ofJob[metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? '-'] ?? ofJob['*'];
  if (end === 'disrupted') ofJob['-'] = 'ok';
  return end;
}

/** Leads pods with this label that are Pending to where they go; true when it did something. */
export async function playPods({ list, merge }, label, endOfPod) {
  const pods = await list(`${core}/pods?labelSelector=${label}`);
  const waiting = pods.filter(({ metadata, status }) => status.phase === 'Pending' && !metadata.deletionTimestamp);
  for (const pod of waiting) {
    try {
      await merge(`${core}/pods/${pod.metadata.name}/status`, { status: statusAfter(endOfPod(pod)) });
    } catch (problem) {
      if (!/: (404|409) /.test(problem.message)) throw problem;
    }
  }
  return waiting.length > 0;
}

function statusAfter(end) {
  if (end === 'runs') return { phase: 'Running', conditions: [condition('Ready')] };
  if (end === 'disrupted') return { phase: 'Failed', conditions: [condition('DisruptionTarget')], containerStatuses: [terminated(137)] };
  return end === 'ok' ? { phase: 'Succeeded', containerStatuses: [terminated(0)] } : { phase: 'Failed', containerStatuses: [terminated(end)] };
}

function condition(type) {
  return { type, status: 'True', lastTransitionTime: new Date().toISOString() };
}

function terminated(exitCode) {
  const now = new Date().toISOString();
  const state = { terminated: { exitCode, startedAt: now, finishedAt: now } };
  return { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state };
}

function hasEnded({ status }) {
  return status.conditions?.some(({ type, status: is }) => ['Complete', 'Failed'].includes(type) && is === 'True');
}
