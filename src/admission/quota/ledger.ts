// Charges requests to the quotas of their namespace before they are written. Requests that arrive while a namespace's quotas are being
// written wait and are charged together: one write for all of them. The compare-and-set on the quota keeps every limit, also among servers.
import { andThen } from '#base/and-then.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { AdmissionRequest } from '#admission/admission.ts';
import { type Charge, type ChargeRules, chargeOf } from '#admission/quota/charge.ts';
import { QuotaAccount, type QuotaVersion } from '#admission/quota/quota-account.ts';
import { type Amounts, addTo } from '#admission/resource-list.ts';
import { type ApiError, conflict } from '#api/api-error.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { negateQuantity } from '#base/quantity.ts';

const mostAttempts = 10;
/** Namespaces whose accounts are remembered; they are made anew from the stored quotas at any time. */
const mostNamespaces = 10_000;

export interface QuotaStorage {
  /** What is known to be stored, by name. May be behind. */
  readonly quotasOf: (namespace: string) => MaybePromise<readonly QuotaVersion[]>;
  /**
   * Compare-and-set of the numbers at `account.revision`; undefined when somebody else was faster. Need not be durable before what is
   * written afterwards is; `onLost` hears when it did not last.
   */
  readonly save: (account: QuotaAccount, onLost: () => void) => MaybePromise<QuotaVersion | undefined>;
}

/** Turns quotas as they are into charges; throws to leave them alone. */
type MakeCharge = (accounts: readonly QuotaAccount[]) => Charge;

type Outcome = { readonly charge: Charge } | { readonly error: unknown };

/** One who is to be charged, until it is. */
class Entry {
  readonly make: MakeCharge;
  readonly isRefund: boolean;
  #outcome: Outcome | undefined;
  #listener: (() => void) | undefined;

  constructor(make: MakeCharge, isRefund: boolean) {
    this.make = make;
    this.isRefund = isRefund;
  }

  /** The first outcome counts. */
  settle(outcome: Outcome): void {
    this.#outcome ??= outcome;
    this.#listener?.();
  }

  /** At once, and throwing at once, when it is settled already. */
  get charge(): MaybePromise<Charge> {
    if (this.#outcome) return chargeIn(this.#outcome);
    return new Promise<void>((resolve) => (this.#listener = resolve)).then(() => chargeIn(this.#outcome as Outcome));
  }
}

/** By the name of the quota. */
type Failures = ReadonlyMap<string, unknown>;

const noFailures: Failures = new Map();

interface Trouble {
  readonly error: unknown;
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
  charge(request: AdmissionRequest, rules: ChargeRules): MaybePromise<void> {
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

  #take(request: AdmissionRequest, rules: ChargeRules, known: readonly QuotaAccount[]): MaybePromise<void> {
    const { namespace } = request;
    const entered = this.#enter(namespace, false, (accounts) => chargeOf(request, rules, accounts), known);
    return andThen(entered, (charge) => {
      if (charge.size > 0) request.onOutcome?.((committed) => this.#end(namespace, charge, committed));
    });
  }

  #end(namespace: string, charge: Charge, committed: boolean): MaybePromise<void> {
    return andThen(committed ? undefined : this.#refund(namespace, charge), () => this.#forget(namespace, charge));
  }

  async #refund(namespace: string, charge: Charge): Promise<void> {
    const negative = new Map([...charge].map(([name, amounts]) => [name, negated(amounts)]));
    try {
      await this.#enter(namespace, true, () => negative);
    } catch {
      // What cannot be given back now is found when usage is counted again.
    }
  }

  /** `known` are the accounts as of this turn, where the caller has them. Done at once unless somebody or something has to be waited for. */
  #enter(namespace: string, isRefund: boolean, make: MakeCharge, known?: readonly QuotaAccount[]): MaybePromise<Charge> {
    const entry = new Entry(make, isRefund);
    const waiting = this.#waiting.get(namespace);
    if (waiting) waiting.push(entry);
    else this.#work(namespace, [entry], known);
    return entry.charge;
  }

  #work(namespace: string, batch: readonly Entry[], known?: readonly QuotaAccount[]): void {
    const next: Entry[] = [];
    this.#waiting.set(namespace, next);
    void andThen(this.#settle(namespace, batch, known), () => {
      if (next.length > 0) this.#work(namespace, next);
      else this.#waiting.delete(namespace);
    });
  }

  /** Never throws: whatever goes wrong, the entries hear of it. */
  #settle(namespace: string, batch: readonly Entry[], known?: readonly QuotaAccount[]): MaybePromise<void> {
    const fail = (error: unknown) => {
      for (const entry of batch) entry.settle({ error });
    };
    try {
      const settled = this.#attempt(namespace, batch, known, 1);
      return settled instanceof Promise ? settled.catch(fail) : undefined;
    } catch (error) {
      return fail(error);
    }
  }

  #attempt(namespace: string, open: readonly Entry[], known: readonly QuotaAccount[] | undefined, attempt: number): MaybePromise<void> {
    return andThen(known ?? this.#accountsOf(namespace), (accounts) => {
      const charged: Charged[] = [];
      for (const entry of open) this.#apply(namespace, accounts, entry, charged);
      return andThen(this.#saveAll(namespace, accounts), (failed) => {
        const again = this.#conclude(namespace, charged, failed, attempt < mostAttempts);
        // Whoever was faster has told the cache by the next turn.
        return again.length > 0 ? nextTurn().then(() => this.#attempt(namespace, again, undefined, attempt + 1)) : undefined;
      });
    });
  }

  #apply(namespace: string, accounts: readonly QuotaAccount[], entry: Entry, charged: Charged[]): void {
    try {
      const charge = entry.make(accounts);
      if (charge.size > 0 && !entry.isRefund) this.#remember(namespace, charge);
      for (const account of accounts) {
        const added = charge.get(account.name);
        if (added) account.add(added);
      }
      charged.push({ entry, charge });
    } catch (error) {
      entry.settle({ error });
    }
  }

  /** Why, for those that could not be saved, by name. */
  #saveAll(namespace: string, accounts: readonly QuotaAccount[], failed: Failures = noFailures): MaybePromise<Failures> {
    for (const account of accounts) {
      if (!account.isUnsaved) continue;
      const trouble = this.#save(namespace, account);
      if (trouble === undefined) continue;
      return andThen(trouble, (found) => this.#saveAll(namespace, accounts, found ? new Map([...failed, [account.name, found.error]]) : failed));
    }
    return failed;
  }

  #save(namespace: string, account: QuotaAccount): MaybePromise<Trouble | undefined> {
    const amounts = account.takeUnsaved();
    try {
      const saving = this.#storage.save(account, () => this.#lose(namespace, account, amounts));
      if (!(saving instanceof Promise)) return this.#concludeSave(namespace, account, saving);
      return saving.then((saved) => this.#concludeSave(namespace, account, saved)).catch((error: unknown) => this.#failSave(namespace, account, error));
    } catch (error) {
      return this.#failSave(namespace, account, error);
    }
  }

  #concludeSave(namespace: string, account: QuotaAccount, saved: QuotaVersion | undefined): Trouble | undefined {
    if (saved === undefined) return this.#failSave(namespace, account, overtaken(account));
    account.owed = undefined;
    account.revision = saved.revision;
    if (saved.object !== account.stored) this.#replace(namespace, account, new QuotaAccount(saved));
    return undefined;
  }

  /** Its numbers are not true: made anew from what is stored. What was owed before still is. */
  #failSave(namespace: string, account: QuotaAccount, error: unknown): Trouble {
    this.#lose(namespace, account, account.owed ?? new Map());
    return { error };
  }

  /** Whoever was charged to some quotas but not to all gets back what was taken, and tries again. */
  #conclude(namespace: string, charged: readonly Charged[], failed: Failures, mayRetry: boolean): readonly Entry[] {
    const again: Entry[] = [];
    for (const { entry, charge } of charged) {
      const lost = failed.size === 0 ? [] : [...charge.keys()].filter((name) => failed.has(name));
      if (lost.length === 0) {
        entry.settle({ charge });
        continue;
      }
      this.#forget(namespace, charge);
      const taken = new Map([...charge].filter(([name]) => !failed.has(name)));
      if (taken.size > 0) void this.#refund(namespace, taken);
      const error = failed.get(lost[0] ?? '');
      if (mayRetry && isConflict(error)) again.push(entry);
      else entry.settle({ error });
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

  #accountsOf(namespace: string): MaybePromise<readonly QuotaAccount[]> {
    return andThen(this.#storage.quotasOf(namespace), (stored) => {
      const known = this.#accounts.get(namespace) ?? none;
      return areOf(known, stored) ? known : this.#openAll(namespace, known, stored);
    });
  }

  #openAll(namespace: string, known: readonly QuotaAccount[], stored: readonly QuotaVersion[]): readonly QuotaAccount[] {
    const accounts = stored.map((quota) => known.find((account) => isOf(account, quota)) ?? this.#open(namespace, quota));
    if (this.#accounts.size >= mostNamespaces) this.#accounts.clear();
    if (accounts.length > 0) this.#accounts.set(namespace, accounts);
    else this.#accounts.delete(namespace);
    return accounts;
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
    else this.#pending.set(namespace, new Set<Charge>().add(charge));
  }

  #forget(namespace: string, charge: Charge): void {
    const known = this.#pending.get(namespace);
    known?.delete(charge);
    if (known?.size === 0) this.#pending.delete(namespace);
  }
}

const none: readonly QuotaAccount[] = [];

function areOf(accounts: readonly QuotaAccount[], stored: readonly QuotaVersion[]): boolean {
  if (accounts.length !== stored.length) return false;
  for (let index = 0; index < stored.length; index++) if (!isOf(accounts[index], stored[index] as QuotaVersion)) return false;
  return true;
}

/** Revisions are of the whole store: a quota that was deleted and made again has a later one. */
function isOf(account: QuotaAccount | undefined, { name, revision }: QuotaVersion): boolean {
  return account !== undefined && account.name === name && account.revision >= revision;
}

function chargeIn(outcome: Outcome): Charge {
  if ('error' in outcome) throw outcome.error;
  return outcome.charge;
}

function overtaken({ name }: QuotaAccount): ApiError {
  return conflict({ group: '', resource: 'resourcequotas' }, name, 'the quota has been modified');
}

function isConflict(error: unknown): boolean {
  return (error as { code?: unknown }).code === 409;
}

function negated(amounts: Amounts): Amounts {
  return new Map([...amounts].map(([name, amount]) => [name, negateQuantity(amount)]));
}
