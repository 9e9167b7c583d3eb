// vi.waitFor and vi.waitUntil give up after a second by themselves, which a busy machine may need for one request: in our tests they wait as long
// as a test may take, unless a test says otherwise.
import { vi } from 'vitest';

const patienceMs = 20_000;
const [waitFor, waitUntil] = [vi.waitFor, vi.waitUntil];

vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));

interface Options {
  readonly timeout?: number;
  readonly interval?: number;
}

function patient(options: number | Options = {}): Options {
  return typeof options === 'number' ? { timeout: options } : { timeout: patienceMs, ...options };
}
