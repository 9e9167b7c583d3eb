// Events come no faster than the server is told to take them.
import { createHash } from 'node:crypto';
import { ApiError } from '#api/api-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { joined } from '#admission/request-subject.ts';
import type { Event } from '#kinds/core/v1/event.ts';

export interface EventLimit {
  readonly type: 'Server' | 'Namespace' | 'User' | 'SourceAndObject';
  readonly qps: number;
  readonly burst: number;
  /** How many namespaces, users … are remembered; the ones longest silent are forgotten first. */
  readonly cacheSize?: number;
}

const defaultCacheSize = 4096;

export function eventRateLimit(limits: readonly EventLimit[]): AdmissionPlugin {
  const meters = limits.map((limit) => new Meter(limit));
  return {
    name: 'EventRateLimit',
    matches: ({ definition, operation }) => definition.group === '' && definition.kind === 'Event' && (operation === 'CREATE' || operation === 'UPDATE'),
    validate(request) {
      if (request.dryRun) return;
      const refused = meters.flatMap((meter) => meter.take(request) ?? []);
      if (refused.length > 0) throw new ApiError(429, 'TooManyRequests', `Too many requests: ${joined(refused)}`);
    },
  };
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Senders of events choose what is in a key; of a longer one the digest is kept. */
const longestKey = 256;

class Meter {
  readonly #limit: EventLimit;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: EventLimit) {
    this.#limit = limit;
  }

  /** What to say when there is no token left for this request. */
  take(request: AdmissionRequest): string | undefined {
    const key = keyOf(this.#limit.type, request);
    const bucket = this.#filled(key, request.now.getTime());
    if (bucket.tokens < 1) return `limit reached on type ${this.#limit.type} for key ${key}`;
    bucket.tokens -= 1;
    return undefined;
  }

  #filled(key: string, now: number): Bucket {
    const { qps, burst, cacheSize } = this.#limit;
    const kept = key.length > longestKey ? createHash('sha256').update(key).digest('base64') : key;
    const known = this.#buckets.get(kept) ?? { tokens: burst, filledAt: now };
    const bucket = { tokens: Math.min(burst, known.tokens + ((now - known.filledAt) / 1000) * qps), filledAt: now };
    this.#buckets.delete(kept);
    this.#buckets.set(kept, bucket);
    const oldest = this.#buckets.size > (cacheSize || defaultCacheSize) ? this.#buckets.keys().next().value : undefined;
    if (oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }
}

function keyOf(type: EventLimit['type'], { namespace, user, object }: AdmissionRequest): string {
  if (type === 'Server') return '';
  if (type === 'Namespace') return namespace;
  if (type === 'User') return user.name;
  const { source, involvedObject } = object as unknown as Event;
  const { kind, namespace: where, name, uid, apiVersion } = involvedObject;
  return [source?.component, source?.host, kind, where, name, uid, apiVersion].map((part) => part ?? '').join('');
}
