// Charges requests to the quotas of their namespace before they are written. Requests that arrive while a namespace's quotas are being
// written wait and are charged together: one write for all of them. The compare-and-set on the quota keeps every limit, also among servers.
import { andThen } from '#base/and-then.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { AdmissionRequest } from '#admission/admission.ts';
import { type Charge, type ChargeRules, chargeOf } from '#admission/quota/charge.ts';
import { QuotaAccount, type QuotaVersion } from '#admission/quota/quota-account.ts';
import { type Amounts, addTo } from '#admission/resource-list.ts';
import { conflict } from '#api/api-error.ts';
import type { Read } from '#api/lister.ts';
import { negateQuantity } from '#api/quantity.ts';

const mostAttempts = 10;
/** Namespaces whose accounts are remembered; they are made anew from the stored quotas at any time. */
const mostNamespaces = 10_000;

export interface QuotaStorage {
  /** What is known to be stored, by name. May be behind. */
  readonly quotasOf: (namespace: string) => Read<readonly QuotaVersion[]>;
  /**
   * Compare-and-set of the numbers at `account.revision`; undefined when somebody else was faster. Need not be durable before what is
   * written afterwards is; `onLost` hears when it did not last.
   */
  readonly save: (account: QuotaAccount, onLost: () => void) => Promise<QuotaVersion | undefined>;
}

/** Turns quotas as they are into charges; throws to leave them alone. */
interface Entry {
  readonly charge: (accounts: readonly QuotaAccount[]) => Charge;
  readonly isRefund: boolean;
  readonly resolve: (charge: Charge) => void;
  readonly reject: (error: unknown) => void;
}

interface Charged {
  readonly entry: Entry;
  readonly charge: Charge;
}

export class QuotaLedger {
  readonly #storage: QuotaStorage;
  /** Ahead of the stored quotas by what we wrote ourselves. */
  readonly #accounts = new Map<string, readonly QuotaAccount[]>();
  /** Entries that wait for the namespace's quotas; present while somebody works on them. */
  readonly #waiting = new Map<string, Entry[]>();
  /** Charged, but perhaps not stored yet. */
  readonly #pending = new Map<string, Set<Charge>>();
  /** By namespace and quota: charged, and not in what is stored, because the disk failed. The next account of the quota begins with it. */
  readonly #owed = new Map<string, Amounts>();

  constructor(storage: QuotaStorage) {
    this.#storage = storage;
  }

  /** Done when the request is paid for; throws when it cannot be. Most requests are of no interest to any quota and wait for nobody. */
  charge(request: AdmissionRequest, rules: ChargeRules): Read<void> {
    return andThen(this.#accountsOf(request.namespace), (accounts) => {
      const isCovered = accounts.some((account) => account.limitsFor(rules.evaluator).length > 0);
      if (!isCovered && rules.limited.length === 0) return undefined;
      if (!request.dryRun && isCovered) return this.#take(request, rules, accounts);
      chargeOf(request, rules, accounts);
      return undefined;
    });
  }

  /** What requests have been charged that may not be seen among the stored objects yet. */
  pending(namespace: string, quota: string): Amounts {
    const sum: Amounts = new Map();
    for (const charge of this.#pending.get(namespace) ?? []) addTo(sum, charge.get(quota) ?? new Map());
    return sum;
  }

  /** Is this version of a quota a charge of ours? False where that is not remembered. */
  wrote(namespace: string, quota: string, revision: number): boolean {
    const account = this.#accounts.get(namespace)?.find(({ name }) => name === quota);
    return account !== undefined && account.openedAt < revision && revision <= account.revision;
  }

  async #take(request: AdmissionRequest, rules: ChargeRules, known: readonly QuotaAccount[]): Promise<void> {
    const { namespace } = request;
    const charge = await this.#enter(namespace, false, (accounts) => chargeOf(request, rules, accounts), known);
    if (charge.size === 0) return;
    request.onOutcome?.(async (committed) => {
      if (!committed) await this.#refund(namespace, charge);
      this.#forget(namespace, charge);
    });
  }

  async #refund(namespace: string, charge: Charge): Promise<void> {
    const negative = new Map([...charge].map(([name, amounts]) => [name, negated(amounts)]));
    // What cannot be given back now is found when usage is counted again.
    await this.#enter(namespace, true, () => negative).catch(() => undefined);
  }

  /** `known` are the accounts as of this turn, where the caller has them. */
  #enter(namespace: string, isRefund: boolean, charge: Entry['charge'], known?: readonly QuotaAccount[]): Promise<Charge> {
    return new Promise((resolve, reject) => {
      const entry = { charge, isRefund, resolve, reject };
      const waiting = this.#waiting.get(namespace);
      if (waiting) waiting.push(entry);
      else void this.#work(namespace, [entry], known);
    });
  }

  async #work(namespace: string, first: Entry[], known?: readonly QuotaAccount[]): Promise<void> {
    let batch = first;
    let accounts = known;
    while (batch.length > 0) {
      const next: Entry[] = [];
      this.#waiting.set(namespace, next);
      await this.#settle(namespace, batch, accounts);
      batch = next;
      accounts = undefined;
    }
    this.#waiting.delete(namespace);
  }

  async #settle(namespace: string, batch: readonly Entry[], known: readonly QuotaAccount[] | undefined): Promise<void> {
    let open = batch;
    try {
      for (let attempt = 1; open.length > 0; attempt++) {
        const read = attempt === 1 && known ? known : this.#accountsOf(namespace);
        const accounts = read instanceof Promise ? await read : read;
        const charged = open.flatMap((entry) => this.#apply(namespace, accounts, entry));
        const failed = new Map<string, unknown>();
        for (const account of accounts) if (account.isUnsaved) await this.#save(namespace, account, failed);
        open = this.#conclude(namespace, charged, failed, attempt < mostAttempts);
        // Whoever was faster has told the cache by then.
        if (open.length > 0) await nextTurn();
      }
    } catch (error) {
      for (const entry of open) entry.reject(error);
    }
  }

  #apply(namespace: string, accounts: readonly QuotaAccount[], entry: Entry): readonly Charged[] {
    try {
      const charge = entry.charge(accounts);
      if (charge.size > 0 && !entry.isRefund) this.#remember(namespace, charge);
      for (const account of accounts) {
        const added = charge.get(account.name);
        if (added) account.add(added);
      }
      return [{ entry, charge }];
    } catch (error) {
      entry.reject(error);
      return [];
    }
  }

  async #save(namespace: string, account: QuotaAccount, failed: Map<string, unknown>): Promise<void> {
    const { owed } = account;
    const amounts = account.takeUnsaved();
    try {
      const saved = await this.#storage.save(account, () => this.#lose(namespace, account, amounts));
      if (saved === undefined) throw conflict({ group: '', resource: 'resourcequotas' }, account.name, 'the quota has been modified');
      account.owed = undefined;
      account.revision = saved.revision;
      if (saved.object !== account.stored) this.#replace(namespace, account, new QuotaAccount(saved));
    } catch (error) {
      failed.set(account.name, error);
      // Its numbers are not true: made anew from what is stored.
      this.#lose(namespace, account, owed ?? new Map());
    }
  }

  /** Whoever was charged to some quotas but not to all gets back what was taken, and tries again. */
  #conclude(namespace: string, charged: readonly Charged[], failed: ReadonlyMap<string, unknown>, mayRetry: boolean): readonly Entry[] {
    const again: Entry[] = [];
    for (const { entry, charge } of charged) {
      const lost = failed.size === 0 ? [] : [...charge.keys()].filter((name) => failed.has(name));
      if (lost.length === 0) {
        entry.resolve(charge);
        continue;
      }
      this.#forget(namespace, charge);
      const taken = new Map([...charge].filter(([name]) => !failed.has(name)));
      if (taken.size > 0) void this.#refund(namespace, taken);
      const error = failed.get(lost[0] ?? '');
      if (mayRetry && isConflict(error)) again.push(entry);
      else entry.reject(error);
    }
    return again;
  }

  #lose(namespace: string, account: QuotaAccount, amounts: Amounts): void {
    const key = `${namespace}/${account.name}`;
    const owed: Amounts = new Map(this.#owed.get(key));
    addTo(owed, amounts);
    if (owed.size > 0) this.#owed.set(key, owed);
    this.#replace(namespace, account, undefined);
  }

  #open(namespace: string, quota: QuotaVersion): QuotaAccount {
    const key = `${namespace}/${quota.name}`;
    const owed = this.#owed.get(key);
    this.#owed.delete(key);
    return new QuotaAccount(quota, owed);
  }

  #accountsOf(namespace: string): Read<readonly QuotaAccount[]> {
    return andThen(this.#storage.quotasOf(namespace), (stored) => {
      const known = this.#accounts.get(namespace) ?? [];
      if (stored.length === known.length && stored.every((quota, index) => isOf(known[index], quota))) return known;
      const accounts = stored.map((quota) => known.find((account) => isOf(account, quota)) ?? this.#open(namespace, quota));
      if (this.#accounts.size >= mostNamespaces) this.#accounts.clear();
      if (accounts.length > 0) this.#accounts.set(namespace, accounts);
      else this.#accounts.delete(namespace);
      return accounts;
    });
  }

  #replace(namespace: string, old: QuotaAccount, next: QuotaAccount | undefined): void {
    const accounts = this.#accounts.get(namespace) ?? [];
    this.#accounts.set(
      namespace,
      accounts.flatMap((account) => (account === old ? (next ?? []) : account)),
    );
  }

  #remember(namespace: string, charge: Charge): void {
    const known = this.#pending.get(namespace);
    if (known) known.add(charge);
    else this.#pending.set(namespace, new Set([charge]));
  }

  #forget(namespace: string, charge: Charge): void {
    const known = this.#pending.get(namespace);
    known?.delete(charge);
    if (known?.size === 0) this.#pending.delete(namespace);
  }
}

/** Revisions are of the whole store: a quota that was deleted and made again has a later one. */
function isOf(account: QuotaAccount | undefined, { name, revision }: QuotaVersion): boolean {
  return account !== undefined && account.name === name && account.revision >= revision;
}

function isConflict(error: unknown): boolean {
  return (error as { code?: unknown }).code === 409;
}

function negated(amounts: Amounts): Amounts {
  return new Map([...amounts].map(([name, amount]) => [name, negateQuantity(amount)]));
}
