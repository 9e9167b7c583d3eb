// The audit log of one server, as its flags ask for it.
import { trusting } from '#base/outgoing/authorities.ts';
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { readEndpoint, readYamlFile } from '#app/access/remote-endpoint.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Count, countSamples, type Metric, newCount, Series } from '#base/metrics.ts';
import { systemTimers } from '#base/timers.ts';
import { TokenBucket } from '#base/token-bucket.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { decodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { isEnvelope, readEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';
import { type AuditBackend, type AuditSink, goJson, legacyLine } from '#server/audit/audit-event.ts';
import { AuditLogFile } from '#server/audit/audit-log-file.ts';
import { type AuditPolicy, parseAuditPolicy } from '#server/audit/audit-policy.ts';
import { auditRefusedCaller, auditRequests } from '#server/audit/audit-requests.ts';
import { AuditWebhook } from '#server/audit/audit-webhook.ts';
import { BufferedSink } from '#server/audit/buffered-sink.ts';
import { DirectSink } from '#server/audit/direct-sink.ts';
import type { AuditServices } from '#server/audit/request-record.ts';
import { eventBytes, TruncatingSink } from '#server/audit/truncating-sink.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';
import { metric } from '#server/metrics/request-metrics.ts';

export interface Audit {
  readonly step: Middleware;
  readonly onRefusedCaller: (exchange: Exchange) => void;
  readonly metrics: readonly Metric[];
  close(): Promise<void>;
}

/** Undefined when nothing asks for an audit log, or no policy says what belongs into it. */
export async function buildAudit({ flags }: ServerOptions, catalog: ResourceCatalog, clock: Clock, log: Log): Promise<Audit | undefined> {
  const policyFile = flags.text('audit-policy-file');
  const sinks = { ...logSink(flags, clock, log), ...(await webhookSink(flags, log)) };
  const all = Object.values(sinks);
  if (all.length === 0 || policyFile === '') return undefined;
  const counts = { events: 0, rejected: 0, levels: new Series<Count>(['level'], newCount) };
  const services: AuditServices = {
    policy: readPolicy(policyFile, await readYamlFile(policyFile)),
    sinks: all,
    clock,
    readObject: (bytes, contentType) => readObject(catalog, Buffer.from(bytes as Uint8Array), contentType),
    onEvent: () => {
      counts.events += 1;
    },
    onJudged: (level) => {
      counts.levels.at(level).value += 1;
    },
    onRejected: () => {
      counts.rejected += 1;
    },
  };
  const lost = () => Object.entries(sinks).map(([plugin, { dropped }]) => ({ labels: { plugin }, value: dropped }));
  return {
    step: auditRequests(services),
    onRefusedCaller: (exchange) => auditRefusedCaller(services, exchange),
    metrics: [
      metric('apiserver_audit_event_total', 'counter', 'ALPHA', 'Audit events made', () => [{ value: counts.events }]),
      metric('apiserver_audit_level_total', 'counter', 'ALPHA', 'Requests by the level of their audit events', () => countSamples(counts.levels)),
      metric('apiserver_audit_requests_rejected_total', 'counter', 'ALPHA', 'Requests refused because their event could not be stored', () => [
        { value: counts.rejected },
      ]),
      metric('apiserver_audit_error_total', 'counter', 'ALPHA', 'Audit events that were lost, by backend', lost),
      metric('binnacle_audit_events_dropped_total', 'counter', undefined, 'Audit events that no backend could take', () => [
        { value: all.reduce((sum, { dropped }) => sum + dropped, 0) },
      ]),
    ],
    close: async () => void (await Promise.all(all.map((sink) => sink.close()))),
  };
}

function readPolicy(file: string, document: unknown): AuditPolicy {
  try {
    return parseAuditPolicy(document);
  } catch (cause) {
    throw new FlagError(`loading audit policy file: ${(cause as Error).message}: from file ${file}`);
  }
}

function logSink(flags: FlagValues, clock: Clock, log: Log): Readonly<Record<string, AuditSink>> {
  const path = flags.text('audit-log-path');
  if (path === '') return {};
  const onProblem = (cause: unknown) => log.error('audit events could not be written', cause, { path });
  const file = new AuditLogFile({
    path,
    maxBytes: flags.number('audit-log-maxsize') * 1024 * 1024,
    maxBackups: flags.number('audit-log-maxbackup'),
    maxAgeDays: flags.number('audit-log-maxage'),
    compress: flags.boolean('audit-log-compress'),
    lineOf: flags.text('audit-log-format') === 'legacy' ? legacyLine : goJson,
    clock,
    onProblem,
  });
  return { log: sinkFor(file, 'audit-log', flags, onProblem) };
}

async function webhookSink(flags: FlagValues, log: Log): Promise<Readonly<Record<string, AuditSink>>> {
  const file = flags.text('audit-webhook-config-file');
  if (file === '') return {};
  const onProblem = (cause: unknown) => log.error('audit events could not be sent', cause);
  const firstRetryMs = flags.durationMs('audit-webhook-initial-backoff');
  const webhook = new AuditWebhook({ post: await poster(file), timers: systemTimers, firstRetryMs });
  return { webhook: sinkFor(webhook, 'audit-webhook', flags, onProblem) };
}

async function poster(file: string): Promise<(body: string) => Promise<void>> {
  const { url, token, ca, cert, key, serverName, insecure } = await readEndpoint(file);
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connect: { ...trusting(ca), cert, key, servername: serverName, rejectUnauthorized: insecure !== true } as object });
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return async (body) => {
    const answer = await request(url, { method: 'POST', dispatcher, headers, body, signal: AbortSignal.timeout(30_000) });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`the audit webhook answered ${answer.statusCode}`);
  };
}

/** A file that is written at once takes whatever one turn of the event loop brings as one write. */
const untilTheTurnEnds = { batchSize: 10_000, maxWaitMs: 0, parallel: 1 };
const postsAtOnce = 10;

/** The flags of both backends have the same names behind their prefix. */
function sinkFor(backend: AuditBackend, prefix: 'audit-log' | 'audit-webhook', flags: FlagValues, onProblem: (cause: unknown) => void): AuditSink {
  const mode = flags.text(`${prefix}-mode`);
  if (!['batch', 'blocking', 'blocking-strict'].includes(mode))
    throw new FlagError(`invalid --${prefix}-mode ${mode}: must be batch, blocking or blocking-strict`);
  const truncates = flags.boolean(`${prefix}-truncate-enabled`);
  const bytes = truncates ? { most: flags.number(`${prefix}-truncate-max-batch-size`), of: eventBytes } : undefined;
  const fixed = { bufferSize: flags.number(`${prefix}-batch-buffer-size`), bytes, timers: systemTimers, onProblem };
  const sink =
    mode === 'batch'
      ? new BufferedSink(backend, { ...fixed, ...batching(prefix, flags) })
      : mode === 'blocking' && prefix === 'audit-log'
        ? new BufferedSink(backend, { ...fixed, ...untilTheTurnEnds })
        : new DirectSink(backend, mode === 'blocking-strict', onProblem);
  return truncates ? new TruncatingSink(sink, flags.number(`${prefix}-truncate-max-event-size`), onProblem) : sink;
}

function batching(prefix: string, flags: FlagValues) {
  const throttled = flags.boolean(`${prefix}-batch-throttle-enable`);
  const rate = { perSecond: flags.number(`${prefix}-batch-throttle-qps`), burst: flags.number(`${prefix}-batch-throttle-burst`) };
  return {
    batchSize: flags.number(`${prefix}-batch-max-size`),
    maxWaitMs: flags.durationMs(`${prefix}-batch-max-wait`),
    parallel: prefix === 'audit-log' ? 1 : postsAtOnce,
    throttle: throttled ? new TokenBucket({ ...rate, now: () => performance.now(), timers: systemTimers }) : undefined,
  };
}

/** Whatever it is, it must not break the request that it belongs to. */
function readObject(catalog: ResourceCatalog, bytes: Buffer, contentType: string): unknown {
  try {
    if (isEnvelope(bytes)) return readProtobuf(catalog, bytes);
    if (contentType.includes('yaml')) return parseYaml(bytes);
    return contentType.includes('json') || contentType === '' ? JSON.parse(bytes.toString()) : undefined;
  } catch {
    return undefined;
  }
}

function readProtobuf(catalog: ResourceCatalog, bytes: Buffer): unknown {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  const cut = apiVersion.indexOf('/');
  const [group, version] = cut < 0 ? ['', apiVersion] : [apiVersion.slice(0, cut), apiVersion.slice(cut + 1)];
  const schema = kind === 'Status' ? Status : catalog.byKind(group, version, kind)?.schema;
  if (schema !== undefined) return { kind, apiVersion, ...decodeProtobuf(schema, raw) };
  const item = kind.endsWith('List') ? catalog.byKind(group, version, kind.slice(0, -'List'.length)) : undefined;
  return item?.list && { kind, apiVersion, ...decodeProtobuf(item.list, raw) };
}
