import { describe, expect, test } from 'vitest';
import type { AdmissionRequest } from '#admission/admission.ts';
import type { OnOutcome } from '#resource/strategy.ts';
import { objectCounter } from '#admission/quota/evaluator.ts';
import { QuotaLedger, type QuotaStorage } from '#admission/quota/ledger.ts';
import type { QuotaAccount, QuotaVersion } from '#admission/quota/quota-account.ts';
import type { KubernetesObject } from '#api/object.ts';

const rules = { evaluator: objectCounter({ group: '', resource: 'configmaps' }, 'configmaps'), limited: [] };

/** Quotas of one namespace as a disk would keep them; answers at once or, like a store far away, later. */
class Disk implements QuotaStorage {
  readonly stored = new Map<string, QuotaVersion>();
  /** What every save stored, in order: `name=used`. */
  readonly saves: string[] = [];
  readonly losses: (() => void)[] = [];
  /** What happens instead of the next saves; undefined: they succeed. */
  readonly troubles: (((account: QuotaAccount) => QuotaVersion | undefined) | undefined)[] = [];
  readonly #later: boolean;
  readonly #before = new Map<string, QuotaVersion>();
  #revision = 1;

  constructor(later: boolean, limits: Readonly<Record<string, number>>) {
    this.#later = later;
    for (const [name, hard] of Object.entries(limits)) this.put(name, hard, 0);
  }

  put(name: string, hard: number, used: number): QuotaVersion {
    const status = { hard: { configmaps: String(hard) }, used: { configmaps: String(used) } };
    const object = { kind: 'ResourceQuota', metadata: { name }, spec: { hard: status.hard }, status } as unknown as KubernetesObject;
    const version = { name, revision: ++this.#revision, object };
    this.stored.set(name, version);
    return version;
  }

  readonly quotasOf = () => [...this.stored.values()];

  readonly save = (account: QuotaAccount, onLost: () => void) => {
    const write = () => {
      const trouble = this.troubles.shift();
      return trouble ? trouble(account) : this.#write(account, onLost);
    };
    return this.#later ? Promise.resolve().then(write) : write();
  };

  used(name: string): number {
    const { status } = (this.stored.get(name) as QuotaVersion).object as unknown as { status: { used: { configmaps: string } } };
    return Number(status.used.configmaps);
  }

  /** The last save did not last: what was there before is there again, and whoever asked for the save hears of it. */
  forget(): void {
    for (const version of this.#before.values()) this.stored.set(version.name, version);
    this.losses.at(-1)?.();
  }

  #write(account: QuotaAccount, onLost: () => void): QuotaVersion | undefined {
    if (this.stored.get(account.name)?.revision !== account.revision) return undefined;
    const used = Number(account.usedTexts().get('configmaps'));
    this.saves.push(`${account.name}=${used}`);
    this.losses.push(onLost);
    this.#before.set(account.name, this.stored.get(account.name) as QuotaVersion);
    const { revision } = this.put(account.name, Number(account.hard.get('configmaps')?.unscaled), used);
    return { name: account.name, object: account.stored, revision };
  }
}

describe.each([
  ['at once', false],
  ['later', true],
])('where the store answers %s', (_, later) => {
  test('a charge is stored before the request goes on', async () => {
    const { disk, charge } = ledgerOn({ q: 5 });
    await charge();
    await charge();
    expect(disk.used('q')).toBe(2);
  });

  test('what would exceed a limit is refused and costs nothing', async () => {
    const { disk, charge } = ledgerOn({ q: 1 });
    await charge();
    await expect(charge()).rejects.toThrow('exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1');
    expect(disk.saves).toEqual(['q=1']);
  });

  test('of many at the same time as many pass as the limit allows', async () => {
    const { disk, charge } = ledgerOn({ q: 10 });
    const outcomes = await Promise.allSettled(Array.from({ length: 64 }, charge));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(disk.used('q')).toBe(10);
  });

  test('a rehearsal is refused like the real thing, and charges nothing', async () => {
    const { disk, charge } = ledgerOn({ q: 1 });
    await charge({ dryRun: true });
    expect(disk.saves).toEqual([]);
    await charge();
    await expect(charge({ dryRun: true })).rejects.toThrow('exceeded quota');
  });

  test('what was charged is pending until the write came about', async () => {
    const { ledger, charge } = ledgerOn({ q: 5 });
    const listeners = [await charge(), await charge()];
    expect(pending(ledger)).toBe(2);
    for (const listener of listeners) await listener?.(true);
    expect(pending(ledger)).toBe(0);
  });

  test('a write that does not come about gets its charge back', async () => {
    const { disk, ledger, charge } = ledgerOn({ q: 1 });
    const listener = await charge();
    await listener?.(false);
    expect([disk.used('q'), pending(ledger)]).toEqual([0, 0]);
    await charge();
    expect(disk.used('q')).toBe(1);
  });

  test('whoever was faster is seen, and the charge goes on top', async () => {
    const { disk, charge } = ledgerOn({ q: 5 });
    await charge();
    disk.troubles.push(() => {
      disk.put('q', 5, 3);
      return undefined;
    });
    await charge();
    expect(disk.used('q')).toBe(4);
  });

  test('whoever is always too late is told of the conflict in the end', async () => {
    const { disk, charge } = ledgerOn({ q: 5 });
    disk.troubles.push(...Array.from({ length: 10 }, () => () => undefined));
    await expect(charge()).rejects.toMatchObject({ code: 409 });
    await charge();
    expect(disk.used('q')).toBe(1);
  });

  test('a store that fails is heard of, and nothing is charged', async () => {
    const { disk, ledger, charge } = ledgerOn({ q: 5 });
    disk.troubles.push(fail);
    await expect(charge()).rejects.toThrow('the disk is full');
    expect([disk.used('q'), pending(ledger)]).toEqual([0, 0]);
    await charge();
    expect(disk.used('q')).toBe(1);
  });

  test('what one quota took is given back when another cannot be charged', async () => {
    const { disk, charge, settled } = ledgerOn({ a: 5, b: 5 });
    disk.troubles.push(undefined, fail);
    await expect(charge()).rejects.toThrow('the disk is full');
    await settled();
    expect([disk.used('a'), disk.used('b')]).toEqual([0, 0]);
  });

  test('a charge that is lost with the disk is owed again', async () => {
    const { disk, charge } = ledgerOn({ q: 3 });
    await charge();
    disk.forget();
    expect(disk.used('q')).toBe(0);
    await charge();
    expect(disk.used('q')).toBe(2);
    await charge();
    await expect(charge()).rejects.toThrow('used: configmaps=3');
  });

  test('what is owed stays owed when it cannot be stored', async () => {
    const { disk, charge } = ledgerOn({ q: 5 });
    await charge();
    disk.forget();
    disk.troubles.push(fail);
    await expect(charge()).rejects.toThrow('the disk is full');
    await charge();
    expect(disk.used('q')).toBe(2);
  });

  test('a version that a charge made is known as such, one of somebody else is not', async () => {
    const { disk, ledger, charge } = ledgerOn({ q: 5 });
    const first = disk.stored.get('q')?.revision ?? 0;
    await charge();
    const charged = disk.stored.get('q')?.revision ?? 0;
    expect([ledger.wrote('n', 'q', first), ledger.wrote('n', 'q', charged), ledger.wrote('n', 'other', charged)]).toEqual([false, true, false]);
    const foreign = disk.put('q', 7, 1);
    await charge();
    expect(ledger.wrote('n', 'q', foreign.revision)).toBe(false);
  });

  test('a quota that is not counted yet lets nobody pass', async () => {
    const { disk, charge } = ledgerOn({});
    disk.stored.set('q', {
      name: 'q',
      revision: 9,
      object: { kind: 'ResourceQuota', metadata: { name: 'q' }, spec: {}, status: { hard: { configmaps: '1' } } },
    });
    await expect(charge()).rejects.toThrow('status unknown for quota: q, resources: configmaps');
  });

  test('where no quota covers the resource nothing is charged', async () => {
    const { disk, charge } = ledgerOn({});
    expect(await charge()).toBeUndefined();
    expect(disk.saves).toEqual([]);
  });

  function ledgerOn(limits: Readonly<Record<string, number>>) {
    const disk = new Disk(later, limits);
    const ledger = new QuotaLedger(disk);
    /** What wants to hear of the outcome. */
    const charge = async (facts: Partial<AdmissionRequest> = {}): Promise<OnOutcome | undefined> => {
      let heard: OnOutcome | undefined;
      await ledger.charge(request({ ...facts, onOutcome: (listener) => (heard = listener) }), rules);
      return heard;
    };
    /** Refunds go on their own way; whoever enters later waits for them. */
    const settled = async () => void (await (await charge())?.(false));
    return { disk, ledger, charge, settled };
  }
});

test('those who come while the store is busy are charged with one write', async () => {
  const disk = new Disk(true, { q: 100 });
  const ledger = new QuotaLedger(disk);
  await Promise.all(Array.from({ length: 20 }, () => ledger.charge(request({}), rules)));
  expect(disk.saves).toEqual(['q=1', 'q=20']);
});

test('where the store answers at once nobody waits', () => {
  const disk = new Disk(false, { q: 1 });
  const ledger = new QuotaLedger(disk);
  expect(ledger.charge(request({}), rules)).toBeUndefined();
  expect(disk.used('q')).toBe(1);
  expect(() => ledger.charge(request({}), rules)).toThrow('exceeded quota');
});

function request(facts: Partial<AdmissionRequest>): AdmissionRequest {
  const object = { kind: 'ConfigMap', metadata: { name: 'c' } };
  const definition = { group: '', plural: 'configmaps' };
  const subject = { operation: 'CREATE', definition, subresource: '', namespace: 'n', name: 'c', object, old: undefined, dryRun: false };
  return { ...subject, now: new Date(0), gate: () => true, ...facts } as unknown as AdmissionRequest;
}

function pending(ledger: QuotaLedger): number {
  return Number(ledger.pending('n', 'q').get('configmaps')?.unscaled ?? 0);
}

function fail(): never {
  throw new Error('the disk is full');
}
