// What a priority level has done so far, per flow schema: read by /metrics and the debug pages.
import { Histogram } from '#base/metrics.ts';

export interface SchemaCounts {
  dispatched: number;
  executing: number;
  executingSeats: number;
  waiting: number;
  waitingSeats: number;
  readonly rejected: Record<string, number>;
  readonly estimatedSeats: Histogram;
  readonly execution: Histogram;
  readonly queueLength: Histogram;
  readonly waits: { readonly seated: Histogram; readonly refused: Histogram };
}

const seatBuckets = [1, 2, 4, 10];
const executionBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const lengthBuckets = [0, 10, 25, 50, 100, 250, 500, 1000];
const waitBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

export class FlowCounts {
  readonly bySchema = new Map<string, SchemaCounts>();

  seated(schema: string, seats: number): void {
    const counts = this.#of(schema);
    counts.dispatched += 1;
    counts.executing += 1;
    counts.executingSeats += seats;
    counts.estimatedSeats.observe(seats);
  }

  left(schema: string, seats: number, ms: number): void {
    const counts = this.#of(schema);
    counts.execution.observe(ms / 1000);
    counts.executing -= 1;
    counts.executingSeats -= seats;
  }

  queued(schema: string, seats: number, waitingInLevel: number): void {
    const counts = this.#of(schema);
    counts.waiting += 1;
    counts.waitingSeats += seats;
    counts.queueLength.observe(waitingInLevel + 1);
  }

  waited(schema: string, seats: number, ms: number, seated: boolean): void {
    const counts = this.#of(schema);
    counts.waiting -= 1;
    counts.waitingSeats -= seats;
    counts.waits[seated ? 'seated' : 'refused'].observe(ms / 1000);
  }

  rejected(schema: string, why: string): void {
    const { rejected } = this.#of(schema);
    rejected[why] = (rejected[why] ?? 0) + 1;
  }

  total(of: (counts: SchemaCounts) => number): number {
    let sum = 0;
    for (const counts of this.bySchema.values()) sum += of(counts);
    return sum;
  }

  #of(schema: string): SchemaCounts {
    let counts = this.bySchema.get(schema);
    if (counts === undefined) {
      const waits = { seated: new Histogram(waitBuckets), refused: new Histogram(waitBuckets) };
      counts = {
        dispatched: 0,
        executing: 0,
        executingSeats: 0,
        waiting: 0,
        waitingSeats: 0,
        rejected: {},
        estimatedSeats: new Histogram(seatBuckets),
        execution: new Histogram(executionBuckets),
        queueLength: new Histogram(lengthBuckets),
        waits,
      };
      this.bySchema.set(schema, counts);
    }
    return counts;
  }
}
