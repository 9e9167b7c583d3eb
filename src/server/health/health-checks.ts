// /healthz, /livez and /readyz: named checks, in the order and words of the original.
import type { Exchange, Handler } from '#server/front/exchange.ts';
import { sendPageNotFound, sendText } from '#server/answer/document.ts';
import type { PathRouter } from '#server/path-router.ts';
import type { Log } from '#base/log.ts';

export type HealthEndpoint = 'healthz' | 'livez' | 'readyz';

export interface HealthCheck {
  readonly name: string;
  readonly endpoints: readonly HealthEndpoint[];
  /** Says what is wrong, undefined when nothing is. */
  readonly problem: () => string | undefined | Promise<string | undefined>;
}

export const everyEndpoint: readonly HealthEndpoint[] = ['healthz', 'livez', 'readyz'];

/** Serves the three endpoints and each check on its own. */
export function serveHealth(router: PathRouter, checks: readonly HealthCheck[], log: Log): void {
  for (const endpoint of everyEndpoint) {
    const included = checks.filter(({ endpoints }) => endpoints.includes(endpoint));
    const paths = [`/${endpoint}`, ...included.map(({ name }) => `/${endpoint}/${name}`)];
    router.under(`/${endpoint}`, singleHandler(endpoint, included), () => paths);
    router.exact(`/${endpoint}`, overallHandler(endpoint, included, log));
  }
}

function overallHandler(endpoint: HealthEndpoint, checks: readonly HealthCheck[], log: Log): Handler {
  return async (exchange) => {
    const lines: string[] = [];
    const problems: Record<string, string> = {};
    const excluded = new Set(exchange.query.getAll('exclude'));
    const unmatched = new Set(excluded);
    for (const check of checks) {
      unmatched.delete(check.name);
      const problem = excluded.has(check.name) ? undefined : await check.problem();
      if (problem !== undefined) problems[check.name] = problem;
      lines.push(excluded.has(check.name) ? `[+]${check.name} excluded: ok` : lineOf(check.name, problem));
    }
    if (unmatched.size > 0) lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted(unmatched)}`);
    const failed = Object.keys(problems).length > 0;
    // Probes ask every few seconds, and from the first moment on: no reason to fill the log.
    if (failed) log.debug(`${endpoint} check failed`, problems);
    sendOverall(exchange, endpoint, lines, failed);
  };
}

/** The endpoint is public: what is wrong stands only in the log. */
function lineOf(name: string, problem: string | undefined): string {
  return problem === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
}

function sendOverall(exchange: Exchange, endpoint: HealthEndpoint, lines: readonly string[], failed: boolean): void {
  exchange.setHeader('x-content-type-options', 'nosniff');
  if (failed) sendText(exchange, 500, `${lines.join('\n')}\n${endpoint} check failed\n`);
  else if (exchange.query.has('verbose')) sendText(exchange, 200, `${lines.join('\n')}\n${endpoint} check passed\n`);
  else sendText(exchange, 200, 'ok');
}

function singleHandler(endpoint: HealthEndpoint, checks: readonly HealthCheck[]): Handler {
  const byPath = new Map(checks.map((check) => [`/${endpoint}/${check.name}`, check]));
  return async (exchange) => {
    const check = byPath.get(exchange.info.path);
    if (check === undefined) return sendPageNotFound(exchange);
    const problem = await check.problem();
    if (problem === undefined) return sendText(exchange, 200, 'ok');
    exchange.setHeader('x-content-type-options', 'nosniff');
    sendText(exchange, 500, `internal server error: ${problem}\n`);
  };
}

function quoted(names: Iterable<string>): string {
  return [...names]
    .sort()
    .map((name) => `"${name}"`)
    .join(', ');
}
