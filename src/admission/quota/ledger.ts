// Charges requests to the quotas of their namespace before they are written. Requests that arrive while a namespace's quotas are being
// written wait and are charged together: one write for all of them. The compare-and-set on the quota keeps every limit, also among servers.
import { ApiError } from '#api/api-error.ts';
import type { Lister } from '#api/lister.ts';
import type { AdmissionRequest } from '#admission/admission.ts';
import { type Charge, chargeOf } from '#admission/quota/charge.ts';
import type { QuotaEvaluator } from '#admission/quota/evaluator.ts';
import { type QuotaState, stateOf, type StoredQuota } from '#admission/quota/quota-state.ts';
import { type Amounts, addTo, formatAmounts, sameAmounts } from '#admission/resource-list.ts';
import { nextTurn } from '#base/next-turn.ts';
import { negateQuantity, parseQuantity, type Quantity, signOfQuantity } from '#api/quantity.ts';

const resourceQuotas = { group: '', resource: 'resourcequotas' };
const mostAttempts = 10;

/** Compare-and-set on the quota as it was read; returns it as it is now, throws a conflict when somebody else was faster. */
export type WriteUsed = (quota: StoredQuota, used: Readonly<Record<string, string>>) => Promise<StoredQuota>;

/** Turns quotas as they are into charges; throws to leave them alone. */
interface Entry {
  readonly lister: Lister;
  readonly charge: (quotas: readonly QuotaState[]) => Charge;
  readonly resolve: (charge: Charge) => void;
  readonly reject: (error: unknown) => void;
}

export class QuotaLedger {
  /** Entries that wait for the namespace's quotas; present while somebody works on them. */
  readonly #waiting = new Map<string, Entry[]>();
  /** Charged, but perhaps not stored yet. */
  readonly #pending = new Map<string, Set<Charge>>();
  /** What we wrote last: the cache may not have seen it yet. */
  readonly #written = new Map<string, StoredQuota>();
  readonly #writeUsed: WriteUsed;

  constructor(writeUsed: WriteUsed) {
    this.#writeUsed = writeUsed;
  }

  /** Resolves when the request is paid for; throws when it cannot be. */
  async charge(request: AdmissionRequest, evaluator: QuotaEvaluator): Promise<void> {
    const { namespace, dryRun } = request;
    if (dryRun) {
      chargeOf(request, evaluator, await this.#quotas(request.lister, namespace));
      return;
    }
    const charge = await this.#enter(namespace, request.lister, (quotas) => chargeOf(request, evaluator, quotas));
    if (charge.size === 0) return;
    request.onOutcome?.(async (committed) => {
      if (!committed) await this.#refund(namespace, request.lister, charge);
      this.#forget(namespace, charge);
    });
  }

  /** What requests have been charged that may not be seen among the stored objects yet. */
  pending(namespace: string, quota: string): Amounts {
    const sum: Amounts = new Map();
    for (const charge of this.#pending.get(namespace) ?? []) addTo(sum, charge.get(quota) ?? new Map());
    return sum;
  }

  async #refund(namespace: string, lister: Lister, charge: Charge): Promise<void> {
    const negative = new Map([...charge].map(([name, amounts]) => [name, negated(amounts)]));
    // What cannot be given back now is found when usage is counted again.
    await this.#enter(namespace, lister, () => negative).catch(() => undefined);
  }

  #enter(namespace: string, lister: Lister, charge: Entry['charge']): Promise<Charge> {
    return new Promise((resolve, reject) => {
      const entry = { lister, charge, resolve, reject };
      const waiting = this.#waiting.get(namespace);
      if (waiting) waiting.push(entry);
      else void this.#work(namespace, [entry]);
    });
  }

  async #work(namespace: string, first: Entry[]): Promise<void> {
    let batch = first;
    while (batch.length > 0) {
      const next: Entry[] = [];
      this.#waiting.set(namespace, next);
      await this.#settle(namespace, batch);
      batch = next;
    }
    this.#waiting.delete(namespace);
  }

  async #settle(namespace: string, batch: readonly Entry[]): Promise<void> {
    let open = batch;
    try {
      for (let attempt = 0; open.length > 0; attempt++) {
        if (attempt > 0) await nextTurn();
        const quotas = await this.#quotas(open[0]?.lister as Lister, namespace);
        open = await this.#attempt(namespace, quotas, open, attempt + 1 < mostAttempts);
      }
    } catch (error) {
      for (const entry of open) entry.reject(error);
    }
  }

  /** Returns the entries to try again: those that met a quota somebody else has written meanwhile. */
  async #attempt(namespace: string, quotas: readonly QuotaState[], open: readonly Entry[], mayRetry: boolean): Promise<readonly Entry[]> {
    const before = new Map(quotas.map(({ stored, used }) => [stored.metadata.name ?? '', used]));
    const charged = open.flatMap((entry) => this.#apply(namespace, quotas, entry));
    const failed = new Map<string, unknown>();
    for (const quota of quotas) {
      const name = quota.stored.metadata.name ?? '';
      if (sameAmounts(quota.used, before.get(name) ?? new Map())) continue;
      await this.#write(namespace, quota).catch((error: unknown) => failed.set(name, error));
    }
    return this.#conclude(namespace, charged, failed, mayRetry);
  }

  #apply(namespace: string, quotas: readonly QuotaState[], entry: Entry): readonly Charged[] {
    try {
      const charge = entry.charge(quotas);
      this.#remember(namespace, charge);
      for (const quota of quotas) quota.used = sum(quota.used, charge.get(quota.stored.metadata.name ?? ''));
      return [{ entry, charge }];
    } catch (error) {
      entry.reject(error);
      return [];
    }
  }

  /** Whoever was charged to some quotas but not to all gets back what was taken, and tries again. */
  async #conclude(namespace: string, charged: readonly Charged[], failed: ReadonlyMap<string, unknown>, mayRetry: boolean): Promise<readonly Entry[]> {
    const again: Entry[] = [];
    for (const { entry, charge } of charged) {
      const lost = [...charge.keys()].filter((name) => failed.has(name));
      if (lost.length === 0) {
        entry.resolve(charge);
        continue;
      }
      this.#forget(namespace, charge);
      const taken = new Map([...charge].filter(([name]) => !failed.has(name)));
      if (taken.size > 0) void this.#refund(namespace, entry.lister, taken);
      const error = failed.get(lost[0] ?? '');
      if (mayRetry && isConflict(error)) again.push(entry);
      else entry.reject(error);
    }
    return again;
  }

  async #write(namespace: string, { stored, used }: QuotaState): Promise<void> {
    this.#written.set(`${namespace}/${stored.metadata.name}`, await this.#writeUsed(stored, formatAmounts(used)));
  }

  async #quotas(lister: Lister, namespace: string): Promise<QuotaState[]> {
    const cached = await lister.list<StoredQuota>(resourceQuotas, namespace);
    return cached.map((quota) => stateOf(this.#newer(namespace, quota)));
  }

  #newer(namespace: string, cached: StoredQuota): StoredQuota {
    const key = `${namespace}/${cached.metadata.name}`;
    const written = this.#written.get(key);
    if (written && written.metadata.uid === cached.metadata.uid && versionOf(written) > versionOf(cached)) return written;
    if (written) this.#written.delete(key);
    return cached;
  }

  #remember(namespace: string, charge: Charge): void {
    const known = this.#pending.get(namespace) ?? new Set();
    if (charge.size > 0 && !isRefund(charge)) this.#pending.set(namespace, known.add(charge));
  }

  #forget(namespace: string, charge: Charge): void {
    const known = this.#pending.get(namespace);
    known?.delete(charge);
    if (known?.size === 0) this.#pending.delete(namespace);
  }
}

interface Charged {
  readonly entry: Entry;
  readonly charge: Charge;
}

function versionOf({ metadata }: StoredQuota): bigint {
  return BigInt(metadata.resourceVersion ?? '0');
}

function isRefund(charge: Charge): boolean {
  return [...charge.values()].some((amounts) => [...amounts.values()].some((amount) => signOfQuantity(amount) < 0));
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}

function negated(amounts: Amounts): Amounts {
  return new Map([...amounts].map(([name, amount]) => [name, negateQuantity(amount)]));
}

/** Nothing is ever used less than not at all. */
function sum(used: Amounts, added: Amounts | undefined): Amounts {
  if (added === undefined) return used;
  const total: Amounts = new Map(used);
  addTo(total, added);
  for (const name of added.keys()) if (signOfQuantity(total.get(name) as Quantity) < 0) total.set(name, parseQuantity('0'));
  return total;
}
