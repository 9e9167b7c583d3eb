// Levelled, structured log lines. Text by default, JSON on request; facts are key=value pairs, never secrets.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFacts = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
  /** `cause` is printed with its stack. */
  error(message: string, cause?: unknown, facts?: LogFacts): void;
}

export interface LogOptions {
  readonly format: 'text' | 'json';
  /** Asked at each line, so that it can be changed while the server runs. */
  readonly level: () => LogLevel;
  readonly write: (line: string) => void;
  readonly now: () => Date;
}

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export function makeLog(options: LogOptions): Log {
  const print = options.format === 'json' ? jsonLine : textLine;
  const at =
    (level: LogLevel) =>
    (message: string, facts: LogFacts = {}) => {
      if (rank[level] >= rank[options.level()]) options.write(print(options.now(), level, message, facts));
    };
  const error = at('error');
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: (message, cause, facts = {}) => error(message, cause === undefined ? facts : { ...facts, err: describe(cause) }),
  };
}

/** For tests and for parts that run without a server. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The form of klog: `I1116 00:41:58.123456 message key="value"`. */
function textLine(now: Date, level: LogLevel, message: string, facts: LogFacts): string {
  const [date = '', time = ''] = now.toISOString().split('T');
  const pairs = Object.entries(facts).map(([key, value]) => ` ${key}=${JSON.stringify(value) ?? 'undefined'}`);
  return `${level[0]?.toUpperCase()}${date.slice(5, 7)}${date.slice(8, 10)} ${time.slice(0, -1)} ${message}${pairs.join('')}\n`;
}

function jsonLine(now: Date, level: LogLevel, message: string, facts: LogFacts): string {
  return `${JSON.stringify({ ts: now.toISOString(), level, msg: message, ...facts })}\n`;
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause === undefined ? '' : `\ncaused by: ${describe(cause.cause)}`;
  return (cause.stack ?? cause.message) + inner;
}
