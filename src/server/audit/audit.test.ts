import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notFound } from '#api/api-error.ts';
import { silentLog } from '#base/log.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import type { AuditEvent, AuditSink } from '#server/audit/audit-event.ts';
import { AuditLogFile } from '#server/audit/audit-log-file.ts';
import { type AuditPolicy, judgeRequest, parseAuditPolicy } from '#server/audit/audit-policy.ts';
import { auditRequests } from '#server/audit/audit-requests.ts';
import { AuditWebhook } from '#server/audit/audit-webhook.ts';
import type { Handler } from '#server/exchange.ts';
import { callInProcess } from '#server/in-process-exchange.ts';
import { RequestCount } from '#server/middleware/count-requests.ts';
import { buildPipeline } from '#server/pipeline.ts';
import { parseRequestInfo } from '#api/request-info.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

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
  ) {
    const events: AuditEvent[] = [];
    const sink: AuditSink = { write: (event) => void events.push(event), close: async () => {}, dropped: 0 };
    const readObject = (bytes: Uint8Array | string) => JSON.parse(Buffer.from(bytes as Uint8Array).toString()) as unknown;
    const audit = auditRequests({ policy: { rules: [rule] }, sinks: [sink], clock, readObject, typeOf: () => ({ kind: 'Pod', apiVersion: 'v1' }) });
    const services = { log: silentLog, statusSchema: Status, requests: new RequestCount(), requestTimeoutMs: 1000, audit };
    const pipeline = buildPipeline(
      { ...services, authenticator: async () => alice, authorizer: async () => ({ decision: 'allow', reason: 'because' }) },
      handler,
    );
    const answer = await callInProcess(pipeline, {
      method: 'PUT',
      path,
      headers: { 'user-agent': 'test', 'audit-id': 'id' },
      body: '{"metadata":{"name":"x","uid":"u"}}',
    });
    await readAnswer(answer);
    return events;
  }

  const accept: Handler = async (exchange) => {
    await exchange.readBody(1000);
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

  test('of refusals say why', async () => {
    const refuse: Handler = async () => {
      throw notFound({ group: '', resource: 'pods' }, 'x');
    };
    const events = await eventsOf({ level: 'Metadata' }, refuse);
    expect(events.at(-1)?.responseStatus).toMatchObject({ status: 'Failure', reason: 'NotFound', code: 404 });
    expect(events.at(-1)?.responseStatus).not.toHaveProperty('kind');
  });

  test('of omitted stages are not written', async () => {
    const events = await eventsOf({ level: 'Metadata', omitStages: ['RequestReceived'] }, accept);
    expect(events.map(({ stage }) => stage)).toEqual(['ResponseComplete']);
  });
});

const event = { kind: 'Event', auditID: 'x', requestURI: '/?a=1&b=<2>' } as unknown as AuditEvent;

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
    const options = {
      path: join(folder, 'audit.log'),
      maxBytes: 0,
      maxBackups: 0,
      maxAgeDays: 0,
      bufferSize: 100,
      clock: ticking,
      onProblem: (cause: unknown) => problems.push(cause),
    };
    return { log: new AuditLogFile({ ...options, ...changes }), problems };
  }

  test('has one line per event, in the order in which they came', async () => {
    const { log } = file();
    for (let i = 0; i < 3; i++) log.write({ ...event, auditID: String(i) });
    await log.close();
    const lines = readFileSync(join(folder, 'audit.log'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as AuditEvent).auditID)).toEqual(['0', '1', '2']);
    expect(lines[0]).toContain('a=1\\u0026b=\\u003c2\\u003e');
  });

  test('is exchanged when it is too large, and only so many old ones are kept', async () => {
    const { log } = file({ maxBytes: 150, maxBackups: 2 });
    for (let i = 0; i < 20; i++) log.write(event);
    await log.close();
    const names = readdirSync(folder);
    expect(names.length).toBe(3);
    expect(names.filter((name) => /^audit-1970-01-01T\d\d-\d\d-\d\d\.\d{3}\.log$/.test(name)).length).toBe(2);
  });

  test('drops and counts what the buffer cannot take', async () => {
    const { log } = file({ bufferSize: 5 });
    for (let i = 0; i < 8; i++) log.write(event);
    expect(log.dropped).toBe(3);
    await log.close();
  });

  test('that cannot be written is reported, and its events are counted as dropped', async () => {
    const { log, problems } = file({ path: join(folder, 'missing', 'audit.log') });
    log.write(event);
    await log.close();
    expect([log.dropped, problems.length]).toEqual([1, 1]);
  });
});

describe('the webhook', () => {
  function webhook(post: (body: string) => Promise<void>, changes: object = {}) {
    const timers = new ManualTimers();
    const options = { post, timers, bufferSize: 10, batchSize: 3, maxWaitMs: 1000, firstRetryMs: 10, onProblem: () => {} };
    return { hook: new AuditWebhook({ ...options, ...changes }), timers };
  }

  test('gets batches when they are full, or when they have waited long enough', async () => {
    const batches: number[] = [];
    const { hook, timers } = webhook(async (body) => void batches.push((JSON.parse(body) as { items: unknown[] }).items.length));
    for (let i = 0; i < 3; i++) hook.write(event);
    await hook.close();
    hook.write(event);
    timers.advance(1000);
    await hook.close();
    expect(batches).toEqual([3, 1]);
  });

  test('that never answers costs no memory beyond the buffer', async () => {
    const { hook } = webhook(() => new Promise(() => {}));
    for (let i = 0; i < 100; i++) hook.write(event);
    expect(hook.dropped).toBe(100 - 3 - 10);
  });
});
