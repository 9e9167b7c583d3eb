// Amounts of resources as plain numbers, so that they are compared and summed without parsing: processor time in thousandths, memory and
// storage in bytes.
import { parseQuantity, scaledValue } from '#base/quantity.ts';

export interface Resources {
  cpu: number;
  memory: number;
  storage: number;
  /** How many pods; only nodes have it. */
  pods: number;
  /** Extended resources, huge pages and attachable volumes. */
  readonly scalars: Map<string, number>;
}

export type ResourceList = Readonly<Record<string, string>>;

export function noResources(): Resources {
  return { cpu: 0, memory: 0, storage: 0, pods: 0, scalars: new Map() };
}

export function resourcesOf(list: ResourceList | undefined): Resources {
  const resources = noResources();
  for (const name in list) addAmount(resources, name, amountOf(name, list[name] ?? '0'));
  return rounded(resources);
}

/** Kept to the thousandth: only sums are rounded up, as those of a Quantity are. */
export function amountOf(name: string, text: string): number {
  const thousandths = Number(scaledValue(parseQuantity(text), -3));
  return name === 'cpu' ? thousandths : thousandths / 1000;
}

export function addAmount(to: Resources, name: string, amount: number): void {
  if (name === 'cpu') to.cpu += amount;
  else if (name === 'memory') to.memory += amount;
  else if (name === 'ephemeral-storage') to.storage += amount;
  else if (name === 'pods') to.pods += amount;
  else if (isScalar(name)) to.scalars.set(name, (to.scalars.get(name) ?? 0) + amount);
}

export function rounded(resources: Resources): Resources {
  resources.memory = Math.ceil(resources.memory);
  resources.storage = Math.ceil(resources.storage);
  for (const [name, amount] of resources.scalars) resources.scalars.set(name, Math.ceil(amount));
  return resources;
}

/** `sign` -1 takes away. */
export function addResources(to: Resources, other: Resources, sign: 1 | -1 = 1): void {
  to.cpu += sign * other.cpu;
  to.memory += sign * other.memory;
  to.storage += sign * other.storage;
  for (const [name, amount] of other.scalars) to.scalars.set(name, (to.scalars.get(name) ?? 0) + sign * amount);
}

export function copyResources({ cpu, memory, storage, pods, scalars }: Resources): Resources {
  return { cpu, memory, storage, pods, scalars: new Map(scalars) };
}

/** Whatever has a domain before a slash; of the plain names only these. Requests of quotas (`requests.…`) are none. */
function isScalar(name: string): boolean {
  if (name.startsWith('requests.')) return false;
  return name.includes('/') || name.startsWith('hugepages-') || name.startsWith('attachable-volumes-');
}
