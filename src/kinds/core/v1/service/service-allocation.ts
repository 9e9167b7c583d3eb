// What a write of a service does outside of the service: draws and frees addresses and node ports.
import { ApiError, internalError, invalid } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import { settleFamilies, staysPreferDualStack } from '#kinds/core/v1/service/service-families.ts';
import { familyOf, isExternalName, isHeadless, needsHealthCheck, nodePortsOf, sameTexts, wantsNodePorts } from '#kinds/core/v1/service/service-kinds.ts';
import { allocateNodePorts, changeNodePorts } from '#kinds/core/v1/service/service-node-ports.ts';
import type { PoolAccess, PortChanges, ServicePool } from '#resource/service-pool.ts';
import type { OnOutcome, StrategyContext } from '#resource/strategy.ts';

const nothingToUndo: OnOutcome = async () => {};

export async function beginServiceCreate(service: Service, context: StrategyContext): Promise<OnOutcome> {
  const { spec } = service;
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
  const { services: pool } = context;
  if (pool === undefined) return nothingToUndo;
  settleFamilies(service, undefined, pool.families, context.gate('StrictIPCIDRValidation'));
  const change = new Change(pool, context);
  return change.run(async () => {
    await takeAllAddresses(service, change);
    await change.withPorts(service, (ports) => allocateNodePorts(service, ports));
  });
}

export async function beginServiceUpdate(service: Service, stored: Service, context: StrategyContext): Promise<OnOutcome> {
  const old = stored.spec.clusterIP && !stored.spec.clusterIPs?.length ? withAddressList(stored) : stored;
  keepAllocated(service, old);
  pairAddresses(service, old);
  const { services: pool } = context;
  if (pool === undefined) return nothingToUndo;
  const prefersAndStays = staysPreferDualStack(service, old);
  settleFamilies(service, old, pool.families, context.gate('StrictIPCIDRValidation'));
  const change = new Change(pool, context);
  return change.run(async () => {
    if (!prefersAndStays) await changeAddresses(service, old, change);
    await change.withPorts(service, (ports) => changeNodePorts(service, old, ports));
  });
}

export async function releaseService(service: Service, { services: pool, lister, writer }: StrategyContext): Promise<void> {
  const { name = '', namespace = '' } = service.metadata;
  await writer.delete({ group: '', resource: 'endpoints' }, namespace, name).catch(ignoreMissing);
  if (pool === undefined) return;
  if (!isExternalName(service) && !isHeadless(service)) {
    for (const address of service.spec.clusterIPs ?? []) await pool.addresses.free(address, { lister, writer });
  }
  const { healthCheckNodePort } = service.spec;
  pool.nodePorts.free([...nodePortsOf(service), ...(needsHealthCheck(service) && healthCheckNodePort ? [healthCheckNodePort] : [])]);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError && error.reason === 'NotFound')) throw error;
}

function withAddressList(service: Service): Service {
  return { ...service, spec: { ...service.spec, clusterIPs: [service.spec.clusterIP ?? ''] } };
}

/** What a client leaves out that was given to the service before, it keeps. */
function keepAllocated(service: Service, old: Service): void {
  const { spec } = service;
  if (!isExternalName(old) && !isExternalName(service)) {
    if (!spec.clusterIP && old.spec.clusterIP) spec.clusterIP = old.spec.clusterIP;
    if (!spec.clusterIPs?.length && old.spec.clusterIPs?.length) spec.clusterIPs = [...old.spec.clusterIPs];
  }
  if (wantsNodePorts(old) && wantsNodePorts(service)) keepNodePorts(service, old);
  if (needsHealthCheck(old) && needsHealthCheck(service) && !spec.healthCheckNodePort) spec.healthCheckNodePort = old.spec.healthCheckNodePort;
}

/** By the name of the port, unless another port took the number. */
function keepNodePorts(service: Service, old: Service): void {
  const before = new Set(nodePortsOf(old));
  const used = new Set(nodePortsOf(service).filter((port) => before.has(port)));
  const byName = new Map((old.spec.ports ?? []).map(({ name = '', nodePort }) => [name, nodePort]));
  for (const port of service.spec.ports ?? []) {
    const former = byName.get(port.name ?? '');
    if (!port.nodePort && former && !used.has(former)) port.nodePort = former;
  }
}

/** Clients that know only the single address change only that: the list follows. */
function pairAddresses({ spec }: Service, { spec: old }: Service): void {
  if (old.clusterIPs?.length && !spec.clusterIPs?.length && (old.clusterIP ?? '') === (spec.clusterIP ?? '')) spec.clusterIPs = [...old.clusterIPs];
  if ((old.clusterIP ?? '') === (spec.clusterIP ?? '') || !sameTexts(old.clusterIPs, spec.clusterIPs)) return;
  if (old.clusterIP && !spec.clusterIP) delete spec.clusterIPs;
  else if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
}

/** Everything one write takes and frees; it becomes good or bad as a whole. */
class Change {
  readonly #pool: ServicePool;
  readonly #context: StrategyContext;
  readonly #access: PoolAccess;
  readonly #taken: string[] = [];
  readonly #released: string[] = [];
  #ports: PortChanges | undefined;

  constructor(pool: ServicePool, context: StrategyContext) {
    this.#pool = pool;
    this.#context = context;
    this.#access = { lister: context.lister, writer: context.writer };
  }

  async run(work: () => Promise<void>): Promise<OnOutcome> {
    try {
      await work();
    } catch (error) {
      await this.#end(false);
      throw error;
    }
    return (committed) => this.#end(committed);
  }

  /** Again with other ports as long as another server is faster. */
  async withPorts(service: Service, allocate: (ports: PortChanges) => void): Promise<void> {
    const { ports: before, healthCheckNodePort } = service.spec;
    for (;;) {
      this.#ports = await this.#pool.nodePorts.begin(this.#context.dryRun, this.#access);
      if (before !== undefined) service.spec.ports = before.map((port) => ({ ...port }));
      allocate(this.#ports);
      if (await this.#ports.claim()) return;
      this.#ports.end(false);
      service.spec.healthCheckNodePort = healthCheckNodePort;
    }
  }

  async takeAddress(service: Service, family: string, wanted: string): Promise<string> {
    const { name = '', namespace = '' } = service.metadata;
    const answer = await this.#pool.addresses.take({ family, wanted, namespace, name, dryRun: this.#context.dryRun }, this.#access).catch(refusedAddress);
    if (answer.is === 'refused') throw addressRefused(service, wanted, answer.why, answer.full);
    if (!this.#context.dryRun) this.#taken.push(answer.address);
    return wanted === '' ? answer.address : wanted;
  }

  releaseAddress(address: string): void {
    if (!this.#context.dryRun) this.#released.push(address);
  }

  async #end(committed: boolean): Promise<void> {
    this.#ports?.end(committed);
    for (const address of committed ? this.#released : this.#taken) await this.#pool.addresses.free(address, this.#access);
  }
}

/** An IPAddress that could not be made is why the Service gets none. */
function refusedAddress(error: unknown): { readonly is: 'refused'; readonly why: string; readonly full: boolean } {
  if (error instanceof ApiError) return { is: 'refused', why: error.message, full: false };
  throw error;
}

function addressRefused({ metadata, spec }: Service, wanted: string, why: string, full: boolean): ApiError {
  const { name = '' } = metadata;
  if (full) return internalError(`failed to allocate a serviceIP for Service "${name}": ${why}`);
  const errors = new FieldErrors();
  // There is a place for the address of each family by now.
  const places = (spec.ipFamilies ?? []).map((_, index) => spec.clusterIPs?.[index] ?? '');
  errors.invalid('spec.clusterIPs', places, `failed to allocate IP${wanted === '' ? '' : ` ${wanted}`}: ${why}`);
  return invalid({ group: '', kind: 'Service' }, name, errors.list);
}

async function takeAllAddresses(service: Service, change: Change): Promise<void> {
  const { spec } = service;
  if (isExternalName(service) || spec.clusterIPs?.[0] === 'None') return;
  const { ipFamilies = [], clusterIPs: wanted = [] } = spec;
  const addresses: string[] = [];
  for (const [index, family] of ipFamilies.entries()) addresses.push(await change.takeAddress(service, family, wanted[index] ?? ''));
  spec.clusterIPs = addresses;
  if (addresses[0] !== undefined) spec.clusterIP = addresses[0];
}

async function changeAddresses(service: Service, old: Service, change: Change): Promise<void> {
  if (isExternalName(old)) return takeAllAddresses(service, change);
  if (old.spec.clusterIPs?.[0] === 'None') return;
  const { spec } = service;
  const { ipFamilies: before = [], clusterIPs: oldAddresses = [] } = old.spec;
  if (isExternalName(service)) for (const address of oldAddresses) change.releaseAddress(address);
  else if (before.length === 1 && spec.ipFamilies?.length === 2) {
    const [first = '', second = ''] = spec.clusterIPs ?? [];
    spec.clusterIPs = [first, await change.takeAddress(service, spec.ipFamilies[1] ?? familyOf(second), second)];
  } else if (before.length === 2 && spec.ipFamilies?.length === 1 && oldAddresses[1] !== undefined) change.releaseAddress(oldAddresses[1]);
}
