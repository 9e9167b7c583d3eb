// Gives the claims of a pod devices that a node can reach: one after the other, back again where the rest does not work out.
import { messageOf } from '#base/message-of.ts';
import { compareQuantities, parseQuantity, type Quantity, subtractQuantities } from '#base/quantity.ts';
import type { NodeName } from '#controllers/nodes/node-selection.ts';
import { untolerated } from '#scheduler/cluster/taints.ts';
import { PluginError } from '#scheduler/framework.ts';
import { type ClaimWorld, deviceId, type StoredResourceClaim } from '#scheduler/claims/claim-world.ts';
import { type Pool, type PoolDevice, poolsOn, reachOf } from '#scheduler/claims/device-pools.ts';
import { attributeOf, claimConfig, type Wish } from '#scheduler/claims/claim-details.ts';
import type { DeviceSelector } from '#kinds/resource/v1/device-selector.ts';
import type { DeviceRequest } from '#kinds/resource/v1/resource-claim-spec.ts';
import type { AllocationResult } from '#kinds/resource/v1/resource-claim.ts';
import type { Device } from '#kinds/resource/v1/resource-slice.ts';

export interface Given extends PoolDevice {
  readonly claim: number;
  readonly wish: Wish;
  readonly pool: Pool;
}

/** A claim cannot have more. */
const mostDevices = 32;

/** One allocation per claim; undefined: the devices that the node can reach do not suffice. */
export function allocateClaims(world: ClaimWorld, claims: readonly StoredResourceClaim[], node: NodeName): readonly AllocationResult[] | undefined {
  const allocation = new Allocation(world, claims, poolsOn(node, world.slices()));
  if (!allocation.isFound()) return undefined;
  return claims.map((claim, index) => {
    const given = allocation.given.filter((one) => one.claim === index);
    const nodeSelector = reachOf(given);
    const results = given.map(({ wish, pool, device }) => ({
      request: wish.name,
      driver: pool.driver,
      pool: pool.name,
      device: device.name ?? '',
      ...(wish.asked.adminAccess === true && { adminAccess: true }),
      ...(wish.asked.tolerations && { tolerations: wish.asked.tolerations }),
    }));
    const config = claimConfig(
      world,
      claim,
      given.map(({ wish }) => wish),
    );
    return { devices: { results, ...(config.length > 0 && { config }) }, ...(nodeSelector && { nodeSelector }) } as AllocationResult;
  });
}

class Allocation {
  readonly given: Given[] = [];
  readonly #world: ClaimWorld;
  readonly #claims: readonly StoredResourceClaim[];
  readonly #pools: readonly Pool[];
  readonly #taken: ReadonlySet<string>;
  readonly #suits = new Map<string, boolean>();

  constructor(world: ClaimWorld, claims: readonly StoredResourceClaim[], pools: readonly Pool[]) {
    this.#world = world;
    this.#claims = claims;
    this.#pools = pools;
    this.#taken = world.taken();
  }

  isFound(): boolean {
    for (const claim of this.#claims)
      for (const request of claim.spec?.devices?.requests ?? []) for (const wish of wishesOf(request)) this.#refuseUnknown(claim, wish);
    return this.#request(0, 0);
  }

  /** «All devices» has no meaning while a pool is being published. */
  #refuseUnknown({ metadata: { namespace, name } }: StoredResourceClaim, wish: Wish): void {
    if (wish.asked.allocationMode !== 'All') return;
    const pool = this.#pools.find(({ isIncomplete, isInvalid }) => isIncomplete || isInvalid);
    if (pool === undefined) return;
    const own = wish.name.slice(wish.name.indexOf('/') + 1);
    const why = pool.isIncomplete ? 'being updated' : 'invalid';
    throw new PluginError(
      `claim ${namespace}/${name}, request ${own}: asks for all devices, but resource pool ${pool.driver}/${pool.name} is currently ${why}`,
    );
  }

  #request(claim: number, index: number): boolean {
    const requests = this.#claims[claim]?.spec?.devices?.requests;
    if (this.#claims[claim] === undefined) return true;
    const request = requests?.[index];
    if (request === undefined) return this.#request(claim + 1, 0);
    return wishesOf(request).some((wish) => this.#wish(claim, index, wish));
  }

  /** The first alternative that works out together with all that follows counts. */
  #wish(claim: number, index: number, wish: Wish): boolean {
    if (wish.asked.allocationMode !== 'All') return this.#devices(claim, index, wish, Number(wish.asked.count ?? 1));
    const all = this.#pools.flatMap((pool) =>
      pool.devices.filter((one) => this.#isSuitable(claim, pool, one, wish)).map((one) => ({ ...one, pool, claim, wish })),
    );
    if (all.length === 0) return false;
    const before = this.given.length;
    const fits = all.every((one) => this.#give(one)) && this.#request(claim, index + 1);
    if (!fits) this.given.length = before;
    return fits;
  }

  #devices(claim: number, index: number, wish: Wish, left: number): boolean {
    if (left === 0) return this.#request(claim, index + 1);
    for (const pool of this.#pools) {
      if (pool.isIncomplete || pool.isInvalid) continue;
      for (const one of pool.devices) {
        if (!this.#isSuitable(claim, pool, one, wish) || !this.#give({ ...one, pool, claim, wish })) continue;
        if (this.#devices(claim, index, wish, left - 1)) return true;
        this.given.pop();
      }
    }
    return false;
  }

  #give(one: Given): boolean {
    const id = idOf(one);
    const isAdmin = one.wish.asked.adminAccess === true;
    const rivals = this.given.filter((other) => idOf(other) === id && (!isAdmin || other.claim === one.claim));
    if (rivals.length > 0 || (!isAdmin && this.#taken.has(id))) return false;
    if (this.given.filter(({ claim }) => claim === one.claim).length >= mostDevices) return false;
    if (untolerated(taintsOf(one.device), one.wish.asked.tolerations ?? []) !== undefined) return false;
    if (!this.#meetsConstraints(one) || !this.#hasCounters(one)) return false;
    this.given.push(one);
    return true;
  }

  /** Selectors of the class and of the request; asked once per device and wish. */
  #isSuitable(claim: number, pool: Pool, { device }: PoolDevice, wish: Wish): boolean {
    const key = `${claim}\n${wish.name}\n${wish.asked.deviceClassName}\n${deviceId(pool.driver, pool.name, device.name)}`;
    const known = this.#suits.get(key);
    if (known !== undefined) return known;
    const { deviceClassName = '', selectors = [] } = wish.asked;
    const { namespace, name } = this.#claims[claim]?.metadata ?? {};
    const selects = (of: string, expressions: readonly DeviceSelector[]) =>
      expressions.every(({ cel }, index) => named(`${of}: selector #${index}`, () => this.#world.selects(cel?.expression ?? '', pool.driver, device)));
    // Devices that several claims may share, and those that are prepared first, are not given away yet.
    const isPlain = device.allowMultipleAllocations !== true && (device.bindingConditions ?? []).length === 0;
    const ofClass = this.#world.deviceClass(deviceClassName)?.spec?.selectors ?? [];
    const suits = isPlain && selects(`class ${deviceClassName}`, ofClass) && selects(`claim ${namespace}/${name}`, selectors);
    this.#suits.set(key, suits);
    return suits;
  }

  #meetsConstraints(one: Given): boolean {
    const constraints = this.#claims[one.claim]?.spec?.devices?.constraints ?? [];
    return constraints.every(({ requests = [], matchAttribute, distinctAttribute }) => {
      const concerns = ({ wish }: Given) => requests.length === 0 || requests.includes(wish.request) || requests.includes(wish.name);
      if (!concerns(one)) return true;
      const others = this.given.filter((other) => other.claim === one.claim && concerns(other));
      const value = (given: Given) => attributeOf(given.device, given.pool.driver, matchAttribute ?? distinctAttribute ?? '');
      const own = value(one);
      if (own === undefined) return false;
      return others.every((other) => (value(other) === own) === (matchAttribute !== undefined));
    });
  }

  /** Devices that are parts of one share what it has. */
  #hasCounters(one: Given): boolean {
    if ((one.device.consumesCounters ?? []).length === 0) return true;
    const { pool } = one;
    const inUse = [
      ...pool.all.filter(({ name }) => this.#taken.has(deviceId(pool.driver, pool.name, name))),
      ...this.given.filter((other) => other.pool === pool && other.wish.asked.adminAccess !== true).map(({ device }) => device),
    ];
    return (one.device.consumesCounters ?? []).every(({ counterSet, counters = {} }) =>
      Object.entries(counters).every(([counter, { value }]) => {
        const total = pool.counterSets.find(({ name }) => name === counterSet)?.counters?.[counter]?.value ?? '0';
        const left = inUse.reduce((rest, device) => subtractQuantities(rest, consumed(device, counterSet ?? '', counter)), parseQuantity(total));
        return compareQuantities(left, parseQuantity(value ?? '0')) >= 0;
      }),
    );
  }
}

/** Whose expression it is that cannot be judged. */
function named<T>(whose: string, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    throw new PluginError(`${whose}: ${messageOf(error)}`);
  }
}

function wishesOf({ name = '', exactly, firstAvailable = [] }: DeviceRequest): readonly Wish[] {
  if (exactly !== undefined) return [{ name, request: name, asked: exactly }];
  return firstAvailable.map(({ name: alternative, ...asked }) => ({ name: `${name}/${alternative}`, request: name, asked }));
}

function idOf({ pool, device }: Given): string {
  return deviceId(pool.driver, pool.name, device.name);
}

function taintsOf({ taints = [] }: Device): readonly { readonly key: string; readonly value?: string | undefined; readonly effect: string }[] {
  return taints.map(({ key = '', value, effect = '' }) => ({ key, value, effect }));
}

function consumed({ consumesCounters = [] }: Device, counterSet: string, counter: string): Quantity {
  return parseQuantity(consumesCounters.find((one) => one.counterSet === counterSet)?.counters?.[counter]?.value ?? '0');
}
