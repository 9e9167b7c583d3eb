// Counters, gauges and histograms in the text form of Prometheus. Small on purpose: a count on the path of a request
// is one Map lookup and one addition, and everything else happens when somebody asks for the numbers.
import { goFloat } from '#base/go-text.ts';
import { ownText } from '#base/own-text.ts';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  /** Added to the name: `_bucket`, `_sum` … */
  readonly suffix?: string;
  readonly labels?: Labels;
  /** The upper bound of a bucket: a label of its own, so that all lines of a histogram share the others. */
  readonly le?: string;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly stability: 'ALPHA' | 'BETA' | 'STABLE' | undefined;
  readonly samples: () => Iterable<Sample>;
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += value;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  *samples(labels: Labels): Generator<Sample> {
    let count = 0;
    for (const [at, inBucket] of this.#counts.entries()) {
      count += inBucket;
      yield { suffix: '_bucket', labels, le: at < this.#bounds.length ? goFloat(this.#bounds[at] as number) : '+Inf', value: count };
    }
    yield { suffix: '_sum', labels, value: this.#sum };
    yield { suffix: '_count', labels, value: count };
  }
}

/** Of all label values of one combination together. Ours are shorter; what is longer was chosen by a client. */
const longestKey = 512;

/** One `T` per combination of label values, never more than `limit` of them: what comes later, or is too long, shares one. */
export class Series<T> {
  readonly #names: readonly string[];
  readonly #make: () => T;
  readonly #limit: number;
  readonly #byKey = new Map<string, { readonly labels: Labels; readonly value: T }>();

  constructor(names: readonly string[], make: () => T, limit = 10_000) {
    this.#names = names;
    this.#make = make;
    this.#limit = limit;
  }

  at(...values: readonly string[]): T {
    const key = values.length === 1 ? (values[0] as string) : values.join('\u0000');
    return this.#byKey.get(key)?.value ?? this.#add(key, values);
  }

  clear(): void {
    this.#byKey.clear();
  }

  entries(): Iterable<{ readonly labels: Labels; readonly value: T }> {
    return this.#byKey.values();
  }

  #add(key: string, values: readonly string[]): T {
    const refused = this.#byKey.size >= this.#limit || key.length > longestKey;
    if (refused && key !== this.#overflowKey) return this.at(...this.#names.map(() => 'other'));
    const entry = { labels: Object.fromEntries(this.#names.map((name, at) => [name, ownText(values[at] ?? '')])), value: this.#make() };
    this.#byKey.set(key, entry);
    return entry.value;
  }

  get #overflowKey(): string {
    return this.#names.map(() => 'other').join('\u0000');
  }
}

export interface Count {
  value: number;
}

export const newCount = (): Count => ({ value: 0 });

export function countSamples(series: Series<Count>): Sample[] {
  return [...series.entries()].map(({ labels, value }) => ({ labels, value: value.value }));
}

export function* histogramSamples(series: Series<Histogram>): Generator<Sample> {
  for (const { labels, value } of series.entries()) yield* value.samples(labels);
}

export function formatMetrics(metrics: readonly Metric[]): string {
  return [...lines(metrics)].join('');
}

/** Tens of thousands of lines take longer than one request may hold up the others: `pause` lets them go first. */
export async function formatMetricsInTurns(metrics: readonly Metric[], now: () => number, pause: () => Promise<void>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let pending: string[] = [];
  let began = now();
  for (const line of lines(metrics)) {
    pending.push(line);
    if (pending.length < linesPerLook) continue;
    chunks.push(Buffer.from(pending.join('')));
    pending = [];
    if (now() - began < turnMs) continue;
    await pause();
    began = now();
  }
  return Buffer.concat([...chunks, Buffer.from(pending.join(''))]);
}

const linesPerLook = 250;
const turnMs = 3;

function* lines(metrics: readonly Metric[]): Generator<string> {
  for (const metric of [...metrics].sort((a, b) => (a.name < b.name ? -1 : 1))) yield* linesOf(metric);
}

/** A metric without samples is not mentioned, as upstream does it. */
function* linesOf({ name, help, type, stability, samples }: Metric): Generator<string> {
  let headed = false;
  let shared: Labels | undefined;
  let pairs = '';
  for (const { suffix = '', labels = none, le, value } of samples()) {
    if (!headed) yield headOf(name, help, type, stability);
    headed = true;
    if (labels !== shared) pairs = formatLabels(labels);
    shared = labels;
    yield `${name}${suffix}${braced(pairs, le)} ${formatNumber(value)}\n`;
  }
}

const none: Labels = {};

function headOf(name: string, help: string, type: string, stability: string | undefined): string {
  const text = stability === undefined ? help : `[${stability}] ${help}`;
  return `# HELP ${name} ${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`;
}

function formatLabels(labels: Labels): string {
  return Object.keys(labels)
    .sort()
    .map((name) => `${name}="${escapeLabel(labels[name] ?? '')}"`)
    .join(',');
}

function braced(pairs: string, le: string | undefined): string {
  if (le !== undefined) return pairs === '' ? `{le="${le}"}` : `{${pairs},le="${le}"}`;
  return pairs === '' ? '' : `{${pairs}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Go writes exponents for large and small numbers; readers take either form. */
function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return Number.isNaN(value) ? 'NaN' : String(value);
}
