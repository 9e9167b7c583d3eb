// The audit log of one server, as its flags ask for it.
import type { RequestInfo } from '#api/request-info.ts';
import { apiVersionOf } from '#api/names.ts';
import { FlagError } from '#app/flags.ts';
import type { ServerOptions } from '#app/options.ts';
import { readEndpoint, readYamlFile } from '#app/remote-endpoint.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Metric } from '#base/metrics.ts';
import { systemTimers } from '#base/timers.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { decodeProtobuf } from '#schema/protobuf.ts';
import { isEnvelope, readEnvelope } from '#schema/protobuf-envelope.ts';
import { parseYaml } from '#schema/yaml.ts';
import type { AuditSink } from '#server/audit/audit-event.ts';
import { AuditLogFile } from '#server/audit/audit-log-file.ts';
import { type AuditPolicy, parseAuditPolicy } from '#server/audit/audit-policy.ts';
import { auditRefusedCaller, auditRequests, type AuditServices } from '#server/audit/audit-requests.ts';
import { AuditWebhook } from '#server/audit/audit-webhook.ts';
import type { Exchange, Middleware } from '#server/exchange.ts';
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
  const sinks = [...logSinks({ flags }, clock, log), ...(await webhookSinks({ flags }, log))];
  if (sinks.length === 0 || policyFile === '') return undefined;
  const events = { value: 0 };
  const services: AuditServices = {
    policy: readPolicy(policyFile, await readYamlFile(policyFile)),
    sinks,
    clock,
    readObject: (bytes, contentType) => readObject(catalog, Buffer.from(bytes as Uint8Array), contentType),
    typeOf: (info) => typeOf(catalog, info),
    onEvent: () => {
      events.value += 1;
    },
  };
  return {
    step: auditRequests(services),
    onRefusedCaller: (exchange) => auditRefusedCaller(services, exchange),
    metrics: [
      metric('apiserver_audit_event_total', 'counter', 'ALPHA', 'Audit events made', () => [{ value: events.value }]),
      metric('binnacle_audit_events_dropped_total', 'counter', undefined, 'Audit events that no backend could take', () => [
        { value: sinks.reduce((sum, { dropped }) => sum + dropped, 0) },
      ]),
    ],
    close: async () => void (await Promise.all(sinks.map((sink) => sink.close()))),
  };
}

function readPolicy(file: string, document: unknown): AuditPolicy {
  try {
    return parseAuditPolicy(document);
  } catch (cause) {
    throw new FlagError(`loading audit policy file: ${(cause as Error).message}: from file ${file}`);
  }
}

function logSinks({ flags }: Pick<ServerOptions, 'flags'>, clock: Clock, log: Log): readonly AuditSink[] {
  const path = flags.text('audit-log-path');
  if (path === '') return [];
  return [
    new AuditLogFile({
      path,
      maxBytes: flags.number('audit-log-maxsize') * 1024 * 1024,
      maxBackups: flags.number('audit-log-maxbackup'),
      maxAgeDays: flags.number('audit-log-maxage'),
      bufferSize: flags.number('audit-log-batch-buffer-size'),
      clock,
      onProblem: (cause) => log.error('audit events could not be written', cause, { path }),
    }),
  ];
}

async function webhookSinks({ flags }: Pick<ServerOptions, 'flags'>, log: Log): Promise<readonly AuditSink[]> {
  const file = flags.text('audit-webhook-config-file');
  if (file === '') return [];
  const { url, token, ca, cert, key, serverName, insecure } = await readEndpoint(file);
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connect: { ca, cert, key, servername: serverName, rejectUnauthorized: insecure !== true } as object });
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const post = async (body: string) => {
    const answer = await request(url, { method: 'POST', dispatcher, headers, body, signal: AbortSignal.timeout(30_000) });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`the audit webhook answered ${answer.statusCode}`);
  };
  return [
    new AuditWebhook({
      post,
      timers: systemTimers,
      bufferSize: flags.number('audit-webhook-batch-buffer-size'),
      batchSize: flags.text('audit-webhook-mode') === 'batch' ? flags.number('audit-webhook-batch-max-size') : 1,
      maxWaitMs: flags.durationMs('audit-webhook-batch-max-wait'),
      firstRetryMs: flags.durationMs('audit-webhook-initial-backoff'),
      onProblem: (cause) => log.error('audit events could not be sent', cause),
    }),
  ];
}

function typeOf(catalog: ResourceCatalog, { group, version, resource, subresource }: RequestInfo) {
  const definition = subresource === '' ? catalog.find(group, version, resource) : undefined;
  return definition && { kind: definition.kind, apiVersion: apiVersionOf(definition) };
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
  return schema && { kind, apiVersion, ...decodeProtobuf(schema, raw) };
}
