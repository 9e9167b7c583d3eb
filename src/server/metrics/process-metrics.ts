// The process itself: processor, memory, files, and how long the event loop was held up at worst.
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metric } from '#base/metrics.ts';
import { metric } from '#server/metrics/request-metrics.ts';

/** How often node looks at its event loop. Every 10 ms would take half a hundredth of a core of a server that has nothing to do. */
const lookEveryMs = 50;

/** Starts the watchdog of the event loop. `stop` ends it. */
export function watchProcess(started: Date): { readonly metrics: readonly Metric[]; readonly stop: () => void } {
  const delays = monitorEventLoopDelay({ resolution: lookEveryMs });
  delays.enable();
  const metrics = [
    one('process_cpu_seconds_total', 'counter', 'Processor time used', cpuSeconds),
    one('process_resident_memory_bytes', 'gauge', 'Resident memory', () => process.memoryUsage.rss()),
    one('process_start_time_seconds', 'gauge', 'When the process started', () => started.getTime() / 1000),
    one('process_open_fds', 'gauge', 'Open files and sockets', () => readdirSync('/proc/self/fd').length),
    one('process_max_fds', 'gauge', 'Most files and sockets that may be open', maxFiles),
    one('process_virtual_memory_bytes', 'gauge', 'Virtual memory', virtualMemory),
    one('process_virtual_memory_max_bytes', 'gauge', 'Most virtual memory that may be used', maxVirtualMemory),
    one('process_network_receive_bytes_total', 'counter', 'Bytes received by the network namespace of the process', () => networkBytes('InOctets')),
    one('process_network_transmit_bytes_total', 'counter', 'Bytes sent by the network namespace of the process', () => networkBytes('OutOctets')),
    one('binnacle_heap_used_bytes', 'gauge', 'Heap in use', () => process.memoryUsage().heapUsed),
    one('binnacle_event_loop_delay_max_seconds', 'gauge', 'The longest that the event loop was held up since the start or the last reset', () =>
      delayOf(delays.max),
    ),
    one('binnacle_event_loop_delay_p99_seconds', 'gauge', 'What 99 of 100 delays of the event loop stay below', () => delayOf(delays.percentile(99))),
  ];
  return { metrics, stop: () => delays.disable() };
}

/** In seconds: node measures from one look to the next, in nanoseconds. */
function delayOf(betweenLooks: number): number {
  return Math.max(0, betweenLooks / 1e9 - lookEveryMs / 1e3);
}

/** What this system does not tell is left out. */
function one(name: string, type: 'counter' | 'gauge', help: string, value: () => number): Metric {
  return metric(name, type, undefined, help, () => {
    try {
      return [{ value: value() }];
    } catch {
      return [];
    }
  });
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function maxFiles(): number {
  return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
}

/** Go's client library says the same for a process without a limit. */
const unlimited = 2 ** 64;

function maxVirtualMemory(): number {
  const limit = /^Max address space\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return limit === 'unlimited' ? unlimited : Number(limit);
}

/** A line of names, and under it a line of numbers. */
function networkBytes(column: string): number {
  const [names = '', numbers = ''] = readFileSync('/proc/self/net/netstat', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('IpExt:'));
  const value = numbers.split(' ')[names.split(' ').indexOf(column)];
  if (value === undefined) throw new Error(`/proc/self/net/netstat has no ${column}`);
  return Number(value);
}

const pageBytes = 4096;

function virtualMemory(): number {
  return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]) * pageBytes;
}
