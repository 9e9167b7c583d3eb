// The one place where what was thrown becomes an answer. A refusal is an ApiError; anything else is a bug of ours.
import { ApiError, internalError } from '#api/api-error.ts';
import { isForUnreadable } from '#api/unreadable-error.ts';
import type { Log } from '#base/log.ts';
import type { StructSchema } from '#schema/build.ts';
import { sendDocument } from '#server/answer/document.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';
import { negotiateOrJson } from '#server/answer/negotiate.ts';

export function answerErrors(log: Log, statusSchema: StructSchema): Middleware {
  return (next) => async (exchange) => {
    try {
      await next(exchange);
    } catch (thrown) {
      await answerError(exchange, thrown, log, statusSchema);
    }
  };
}

async function answerError(exchange: Exchange, thrown: unknown, log: Log, statusSchema: StructSchema): Promise<void> {
  if (!(thrown instanceof ApiError)) report(exchange, thrown, log);
  else if (isForUnreadable(thrown)) log.error((thrown.cause as Error).message, undefined, { method: exchange.method, path: exchange.path });
  const refusal = thrown instanceof ApiError ? thrown : refusalOf(thrown);
  if (exchange.answered) return exchange.cutShort(refusal.code, 'text/plain; charset=utf-8', '');
  const retryAfter = refusal.details?.retryAfterSeconds;
  if (retryAfter !== undefined && retryAfter > 0) exchange.setHeader('retry-after', String(retryAfter));
  await sendDocument(exchange, { code: refusal.code, object: refusal.toStatus(), schema: statusSchema }, negotiateOrJson(exchange, exchange.errorOffer));
}

function refusalOf(thrown: unknown): ApiError {
  if (!isStoreProblem(thrown)) return internalError('an unexpected error, see the log of the server');
  // A Timeout tells clients that the write may have happened; none of them repeats it by itself.
  return thrown.name === 'UnknownOutcomeError' ? new ApiError(504, 'Timeout', `Timeout: ${thrown.message}`) : internalError(thrown.message);
}

const storeProblems = new Set(['StoreUnwritableError', 'StoreUnavailableError', 'UnknownOutcomeError']);

/** A disk that is full or an etcd that does not answer is no bug, and the client may know. By its name: the store is not below us. */
function isStoreProblem(thrown: unknown): thrown is Error {
  return thrown instanceof Error && storeProblems.has(thrown.name);
}

/** What a lost client interrupts is no bug. */
function report(exchange: Exchange, thrown: unknown, log: Log): void {
  if (thrown instanceof Error && thrown.name === 'AbortError') return;
  const { method, path } = exchange;
  if (isStoreProblem(thrown)) log.error(thrown.message, undefined, { method, path });
  else log.error('request failed', thrown, { method, path });
}
