import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notFound } from '#api/api-error.ts';
import { silentLog } from '#base/log.ts';
import { nextTurn } from '#base/next-turn.ts';
import { TokenBucket } from '#base/token-bucket.ts';
import { embedded, json, map, rootStruct } from '#schema/build.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { type AuditEvent, type AuditSink, goJson, legacyLine } from '#server/audit/audit-event.ts';
import { AuditLogFile } from '#server/audit/audit-log-file.ts';
import { type AuditPolicy, judgeRequest, parseAuditPolicy } from '#server/audit/audit-policy.ts';
import { auditRequests } from '#server/audit/audit-requests.ts';
import { AuditWebhook } from '#server/audit/audit-webhook.ts';
import { BufferedSink } from '#server/audit/buffered-sink.ts';
import { DirectSink } from '#server/audit/direct-sink.ts';
import { TruncatingSink } from '#server/audit/truncating-sink.ts';
import type { Handler } from '#server/front/exchange.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { RequestCount } from '#server/middleware/count-requests.ts';
import { buildPipeline } from '#server/pipeline.ts';
import { parseRequestInfo } from '#api/request-info.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

const podLike = rootStruct('Pod', () => ({ metadata: embedded(1, map(json)) }));
const alice = { name: 'alice', groups: ['team'] };
const clock = { now: () => new Date(0) };

function info(method: string, path: string) {
  return parseRequestInfo({ method, path, query: new URLSearchParams() });
}

describe('a policy', () => {
  const judge = (rules: AuditPolicy['rules'], method: string, path: string) => judgeRequest({ rules }, alice, info(method, path)).level;

  test.each([
    [{ users: ['alice'] }, 'GET', '/api/v1/pods', 'Metadata'],
    [{ users: ['bob'] }, 'GET', '/api/v1/pods', 'None'],
    [{ userGroups: ['team'] }, 'GET', '/x', 'Metadata'],
    [{ verbs: ['create'] }, 'GET', '/api/v1/pods', 'None'],
    [{ resources: [{ group: '' }] }, 'GET', '/api/v1/pods', 'Metadata'],
    [{ resources: [{ group: 'apps' }] }, 'GET', '/api/v1/pods', 'None'],
    [{ resources: [{ group: '', resources: ['pods'] }] }, 'GET', '/api/v1/namespaces/a/pods/x/log', 'None'],
    [{ resources: [{ group: '', resources: ['pods/*'] }] }, 'GET', '/api/v1/namespaces/a/pods/x/log', 'Metadata'],
    [{ resources: [{ group: 'apps', resources: ['*/scale'] }] }, 'GET', '/apis/apps/v1/namespaces/a/deployments/x/scale', 'Metadata'],
    [{ resources: [{ group: '', resources: ['pods'], resourceNames: ['y'] }] }, 'GET', '/api/v1/namespaces/a/pods/x', 'None'],
    [{ namespaces: ['a'] }, 'GET', '/api/v1/namespaces/a/pods', 'Metadata'],
    [{ namespaces: [''] }, 'GET', '/api/v1/nodes', 'Metadata'],
    [{ nonResourceURLs: ['/healthz*'] }, 'GET', '/healthz/ping', 'Metadata'],
    [{ nonResourceURLs: ['/healthz*'] }, 'GET', '/api/v1/pods', 'None'],
  ])('%j on %s %s: %s', (rule, method, path, level) => {
    expect(judge([{ level: 'Metadata', ...rule }], method, path)).toBe(level);
  });

  test('decides by the first rule that matches', () => {
    expect(judge([{ level: 'None', users: ['alice'] }, { level: 'Request' }], 'GET', '/x')).toBe('None');
  });

  test('that cannot be meant is refused', () => {
    const policy = (rules: unknown) => () => parseAuditPolicy({ kind: 'Policy', apiVersion: 'audit.k8s.io/v1', rules });
    expect(policy([])).toThrow('0 rules');
    expect(policy([{ level: 'Everything' }])).toThrow('unsupported level');
    expect(policy([{ level: 'None', omitStages: ['Never'] }])).toThrow('unsupported stage');
    expect(() => parseAuditPolicy({ kind: 'Policy', apiVersion: 'v9', rules: [{ level: 'None' }] })).toThrow('v9');
  });
});

describe('events', () => {
  async function eventsOf(
    rule: Omit<AuditPolicy['rules'][number], 'level'> & { level: AuditPolicy['rules'][number]['level'] },
    handler: Handler,
    path = '/api/v1/namespaces/a/pods/x',
    method = 'PUT',
  ) {
    const events: AuditEvent[] = [];
    const sink: AuditSink = { write: (event) => void events.push(event), close: async () => {}, dropped: 0 };
    const readObject = (bytes: Uint8Array | string) => JSON.parse(Buffer.from(bytes as Uint8Array).toString()) as unknown;
    const audit = auditRequests({ policy: { rules: [rule] }, sinks: [sink], clock, readObject });
    const services = { log: silentLog, statusSchema: Status, requests: new RequestCount(), requestTimeoutMs: 1000, audit };
    const pipeline = buildPipeline(
      { ...services, authenticator: async () => alice, authorizer: async () => ({ decision: 'allow', reason: 'because' }) },
      handler,
    );
    const answer = await callInProcess(pipeline, {
      method,
      path,
      headers: { 'user-agent': 'test', 'audit-id': 'id' },
      body: '{"metadata":{"name":"x","uid":"u"}}',
      brief: true,
    });
    await readAnswer(answer);
    return events;
  }

  const accept: Handler = async (exchange) => {
    const body = await exchange.readBody(1000);
    exchange.noteObject({ kind: 'Pod', apiVersion: 'v1', ...JSON.parse(body.toString()) }, podLike);
    exchange.annotate('mine', '1');
    exchange.send(200, 'application/json', '{"kind":"Pod","metadata":{"managedFields":[{}],"name":"x"}}');
  };

  test('tell who did what, and how it ended', async () => {
    const [received, complete] = await eventsOf({ level: 'Metadata' }, accept, '/api/v1/namespaces/a/pods/x?dryRun=All');
    expect(received).toMatchObject({
      stage: 'RequestReceived',
      level: 'Metadata',
      auditID: 'id',
      verb: 'update',
      user: { username: 'alice', groups: ['team'] },
    });
    expect(received).toMatchObject({ requestURI: '/api/v1/namespaces/a/pods/x?dryRun=All', sourceIPs: ['127.0.0.1'], userAgent: 'test' });
    expect(complete).toMatchObject({
      stage: 'ResponseComplete',
      responseStatus: { metadata: {}, code: 200 },
      objectRef: { name: 'x', uid: 'u', resource: 'pods' },
    });
    expect(complete?.annotations).toEqual({ 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': 'because', mine: '1' });
    expect(complete).not.toHaveProperty('requestObject');
  });

  test('carry the objects at the levels that ask for them', async () => {
    const [, request] = await eventsOf({ level: 'Request' }, accept);
    expect(request?.requestObject).toEqual({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x', uid: 'u' } });
    expect(request).not.toHaveProperty('responseObject');
    const [, both] = await eventsOf({ level: 'RequestResponse', omitManagedFields: true }, accept);
    expect(both?.responseObject).toEqual({ kind: 'Pod', metadata: { name: 'x' } });
  });

  test('that carry the answer see to it that it is the whole one', async () => {
    const briefly: boolean[] = [];
    const look: Handler = (exchange) => {
      briefly.push(exchange.isBrief);
      return accept(exchange);
    };
    for (const level of ['Metadata', 'Request', 'RequestResponse'] as const) await eventsOf({ level }, look);
    expect(briefly).toEqual([true, true, false]);
  });

  test('of refusals say why', async () => {
    const refuse: Handler = async () => {
      throw notFound({ group: '', resource: 'pods' }, 'x');
    };
    const events = await eventsOf({ level: 'Metadata' }, refuse);
    expect(events.at(-1)?.responseStatus).toMatchObject({ status: 'Failure', reason: 'NotFound', code: 404 });
    expect(events.at(-1)?.responseStatus).not.toHaveProperty('kind');
  });

  test('of a bug of ours are a panic', async () => {
    const events = await eventsOf({ level: 'Metadata' }, async () => {
      throw new TypeError('oops');
    });
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'Panic']);
    expect(events[1]?.responseStatus).toMatchObject({ code: 500, message: "APIServer panic'd: TypeError: oops" });
  });

  test('of a watch come when it is received, begins and ends', async () => {
    const watch: Handler = async (exchange) => exchange.stream(200, 'application/json').end();
    const events = await eventsOf({ level: 'RequestResponse' }, watch, '/api/v1/namespaces/a/pods?watch=1', 'GET');
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[2]).not.toHaveProperty('responseObject');
  });

  test('of deletions show the options in their internal form, of patches the patch', async () => {
    const handler: Handler = async (exchange) => {
      await exchange.readBody(1000);
      exchange.send(200, 'application/json', '{}');
    };
    const [, deleted] = await eventsOf({ level: 'Request' }, handler, undefined, 'DELETE');
    expect(deleted?.requestObject).toEqual({ metadata: { name: 'x', uid: 'u' }, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' });
    const [, patched] = await eventsOf({ level: 'Request' }, handler, undefined, 'PATCH');
    expect(patched?.requestObject).toEqual({ metadata: { name: 'x', uid: 'u' } });
    expect(patched?.objectRef).not.toHaveProperty('uid');
  });

  test('that a strict backend cannot store refuse the request, others do not', async () => {
    const failing = { deliver: async () => Promise.reject(new Error('full')), close: async () => {} };
    const codes: number[] = [];
    for (const strict of [true, false]) {
      const sink = new DirectSink(failing, strict, () => {});
      codes.push(await codeWith(sink));
      expect(sink.dropped).toBeGreaterThan(0);
    }
    expect(codes).toEqual([500, 200]);
  });

  async function codeWith(sink: AuditSink): Promise<number> {
    const audit = auditRequests({ policy: { rules: [{ level: 'Metadata' }] }, sinks: [sink], clock, readObject: () => undefined });
    const services = { log: silentLog, statusSchema: Status, requests: new RequestCount(), requestTimeoutMs: 1000, audit };
    const user = { authenticator: async () => alice, authorizer: async () => ({ decision: 'allow', reason: '' }) as const };
    return (await callInProcess(buildPipeline({ ...services, ...user }, accept), { method: 'GET', path: '/api/v1/pods', body: '{}' })).code;
  }

  test('of omitted stages are not written', async () => {
    const events = await eventsOf({ level: 'Metadata', omitStages: ['RequestReceived'] }, accept);
    expect(events.map(({ stage }) => stage)).toEqual(['ResponseComplete']);
  });
});

const event = { kind: 'Event', auditID: 'x', level: 'Metadata', requestURI: '/?a=1&b=<2>' } as unknown as AuditEvent;

describe('the log file', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'audit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function file(changes: object = {}) {
    let now = 0;
    const ticking = { now: () => new Date((now += 1000)) };
    const problems: unknown[] = [];
    const onProblem = (cause: unknown) => problems.push(cause);
    const options = { path: join(folder, 'audit.log'), maxBytes: 0, maxBackups: 0, maxAgeDays: 0, compress: false, lineOf: goJson, clock: ticking, onProblem };
    return { log: new AuditLogFile({ ...options, ...changes }), problems };
  }

  test('has one line per event, in the order in which they came', async () => {
    const { log } = file();
    await Promise.all([0, 1, 2].map((i) => log.deliver([{ ...event, auditID: String(i) }])));
    await log.close();
    const lines = readFileSync(join(folder, 'audit.log'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as AuditEvent).auditID)).toEqual(['0', '1', '2']);
    expect(lines[0]).toContain('a=1\\u0026b=\\u003c2\\u003e');
  });

  test('is exchanged when it is too large, and only so many old ones are kept', async () => {
    const { log } = file({ maxBytes: 150, maxBackups: 2 });
    for (let i = 0; i < 20; i++) await log.deliver([event]);
    await log.close();
    const names = readdirSync(folder);
    expect(names.length).toBe(3);
    expect(names.filter((name) => /^audit-1970-01-01T\d\d-\d\d-\d\d\.\d{3}\.log$/.test(name)).length).toBe(2);
  });

  test('is compressed when it is exchanged, if that is asked for', async () => {
    const { log } = file({ maxBytes: 150, maxBackups: 2, compress: true });
    for (let i = 0; i < 20; i++) await log.deliver([event]);
    await log.close();
    const old = readdirSync(folder).filter((name) => name.endsWith('.log.gz'));
    expect(old.length).toBe(2);
    expect(gunzipSync(readFileSync(join(folder, old[0] ?? ''))).toString()).toContain('"auditID":"x"');
  });

  test('that cannot be written says so to whoever wrote', async () => {
    const { log } = file({ path: join(folder, 'missing', 'audit.log') });
    await expect(log.deliver([event])).rejects.toThrow('ENOENT');
    await log.close();
  });

  test('has the older form of a line on request', () => {
    const full = {
      ...event,
      stage: 'ResponseComplete',
      verb: 'get',
      user: { username: 'u', groups: ['g', 'h'] },
      requestReceivedTimestamp: 'then',
    } as AuditEvent;
    expect(legacyLine({ ...full, responseStatus: { code: 200 } })).toBe(
      'then AUDIT: id="x" stage="ResponseComplete" ip="<unknown>" method="get" user="u" groups="\\"g\\",\\"h\\"" as="<self>" asgroups="<lookup>" user-agent="" namespace="<none>" uri="/?a=1&b=<2>" response="200"',
    );
  });
});

describe('a buffer', () => {
  function buffered(deliver: (events: readonly AuditEvent[]) => Promise<void>, changes: object = {}) {
    const timers = new ManualTimers();
    const problems: unknown[] = [];
    const onProblem = (cause: unknown) => problems.push(cause);
    const options = { bufferSize: 10, batchSize: 3, maxWaitMs: 1000, parallel: 1, timers, onProblem };
    return { sink: new BufferedSink({ deliver, close: async () => {} }, { ...options, ...changes }), timers, problems };
  }

  test('makes batches when they are full, or when they have waited long enough', async () => {
    const batches: number[] = [];
    const { sink, timers } = buffered(async (events) => void batches.push(events.length));
    for (let i = 0; i < 3; i++) sink.write(event);
    await nextTurn();
    sink.write(event);
    await nextTurn();
    expect(batches).toEqual([3]);
    timers.advance(1000);
    await sink.close();
    expect(batches).toEqual([3, 1]);
  });

  test('drops and counts what it cannot hold while the backend does not answer', async () => {
    const { sink } = buffered(() => new Promise(() => {}));
    for (let i = 0; i < 100; i++) {
      sink.write(event);
      await nextTurn();
    }
    expect(sink.dropped).toBe(100 - 3 - 10);
  });

  test('counts what the backend lost, and reports it', async () => {
    const { sink, problems } = buffered(async () => {
      throw new Error('gone');
    });
    for (let i = 0; i < 4; i++) sink.write(event);
    await sink.close();
    expect([sink.dropped, problems.length]).toEqual([4, 2]);
  });

  test('cuts batches that become too large', async () => {
    const batches: number[] = [];
    const { sink } = buffered(async (events) => void batches.push(events.length), { batchSize: 6, bytes: { most: 25, of: () => 10 } });
    for (let i = 0; i < 6; i++) sink.write(event);
    await sink.close();
    expect(batches).toEqual([2, 2, 2]);
  });

  test('sends no faster than it may', async () => {
    const timers = new ManualTimers();
    let time = 0;
    let sent = 0;
    const throttle = new TokenBucket({ perSecond: 10, burst: 2, now: () => time, timers });
    const { sink } = buffered(async () => void (sent += 1), { batchSize: 1, throttle });
    for (let i = 0; i < 5; i++) sink.write(event);
    const seen: number[] = [];
    for (let step = 0; step < 4; step++) {
      await nextTurn();
      seen.push(sent);
      time += 100;
      timers.advance(100);
    }
    expect(seen).toEqual([2, 3, 4, 5]);
  });
});

describe('the webhook', () => {
  test('is tried again until it takes the events, five times in all', async () => {
    const timers = new ManualTimers();
    let tries = 0;
    const post = async () => {
      tries += 1;
      throw new Error('not now');
    };
    const delivered = new AuditWebhook({ post, timers, firstRetryMs: 10 }).deliver([event]);
    const outcome = delivered.catch((cause: Error) => cause.message);
    for (let i = 0; i < 8; i++) {
      await nextTurn();
      timers.advance(100);
    }
    expect([await outcome, tries]).toEqual(['not now', 5]);
  });

  test('that does not answer does not hold up a server that stops', async () => {
    const hook = new AuditWebhook({ post: async () => Promise.reject(new Error('not now')), timers: new ManualTimers(), firstRetryMs: 10_000 });
    const sink = new BufferedSink(hook, { bufferSize: 9, batchSize: 1, maxWaitMs: 0, parallel: 1, timers: new ManualTimers(), onProblem: () => {} });
    sink.write(event);
    sink.write(event);
    await nextTurn();
    await sink.close();
    expect(sink.dropped).toBe(2);
  });

  test('gets an EventList', async () => {
    let sent = '';
    const post = async (body: string) => void (sent = body);
    await new AuditWebhook({ post, timers: new ManualTimers(), firstRetryMs: 10 }).deliver([event]);
    expect(JSON.parse(sent)).toEqual({
      kind: 'EventList',
      apiVersion: 'audit.k8s.io/v1',
      metadata: {},
      items: [{ auditID: 'x', level: 'Metadata', requestURI: '/?a=1&b=<2>' }],
    });
  });
});

describe('events that are too large', () => {
  const big = {
    ...event,
    level: 'RequestResponse',
    requestObject: { a: 'x'.repeat(1000) },
    responseObject: { b: 1 },
    annotations: { mine: '1' },
  } as unknown as AuditEvent;

  function truncating(most: number) {
    const events: AuditEvent[] = [];
    const inner: AuditSink = { write: (written) => void events.push(written), close: async () => {}, dropped: 0 };
    return { sink: new TruncatingSink(inner, most, () => {}), events };
  }

  test('lose their objects and say so', () => {
    const { sink, events } = truncating(300);
    sink.write(big);
    sink.write(event);
    expect(events[0]).not.toHaveProperty('requestObject');
    expect(events[0]).not.toHaveProperty('responseObject');
    expect(events[0]?.annotations).toEqual({ mine: '1', 'audit.k8s.io/truncated': 'true' });
    expect(events[1]).toBe(event);
  });

  test('are dropped and counted when that is not enough', () => {
    const { sink, events } = truncating(50);
    sink.write(big);
    sink.write(event);
    expect([events.length, sink.dropped]).toEqual([0, 2]);
  });
});
