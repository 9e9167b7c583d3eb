// The subsets of an Endpoints object in their canonical form: addresses that offer the same ports, ready or not, stand together, each once.
import type { EndpointAddress, EndpointPort, EndpointSubset } from '#kinds/core/v1/service/endpoints.ts';

interface Offered {
  readonly address: EndpointAddress;
  ready: boolean;
}

export function repackSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const byPort = new Map<string, { readonly port: EndpointPort | undefined; readonly offered: Map<string, Offered> }>();
  for (const { ports = [], addresses = [], notReadyAddresses = [] } of subsets) {
    // Addresses without any port are endpoints too: those of a headless Service without ports.
    for (const port of ports.length > 0 ? ports : [undefined]) {
      const key = portKey(port);
      const found = byPort.get(key) ?? { port, offered: new Map<string, Offered>() };
      byPort.set(key, found);
      for (const address of addresses) offer(found.offered, address, true);
      for (const address of notReadyAddresses) offer(found.offered, address, false);
    }
  }
  const byAddresses = new Map<string, { readonly ports: EndpointPort[]; readonly offered: Map<string, Offered> }>();
  for (const { port, offered } of byPort.values()) {
    const key = JSON.stringify([...offered].map(([address, { ready }]) => [address, ready]).sort());
    const found = byAddresses.get(key) ?? { ports: [], offered };
    byAddresses.set(key, found);
    if (port) found.ports.push(port);
  }
  return [...byAddresses.values()].map(subsetOf).sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b)));
}

/** An address that one subset calls ready and another not ready is not ready. */
function offer(offered: Map<string, Offered>, address: EndpointAddress, ready: boolean): void {
  const key = JSON.stringify([address.ip, address.targetRef?.uid ?? '']);
  const known = offered.get(key);
  if (known === undefined) offered.set(key, { address, ready });
  else known.ready &&= ready;
}

function subsetOf({ ports, offered }: { readonly ports: EndpointPort[]; readonly offered: Map<string, Offered> }): EndpointSubset {
  const of = (wanted: boolean) =>
    [...offered.values()]
      .filter(({ ready }) => ready === wanted)
      .map(({ address }) => address)
      .sort(byAddress);
  const [addresses, notReadyAddresses] = [of(true), of(false)];
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(ports.length > 0 && { ports: ports.sort((a, b) => compare(portKey(a), portKey(b))) }),
  } as EndpointSubset;
}

function portKey(port: EndpointPort | undefined): string {
  return port ? JSON.stringify([port.name ?? '', port.port, port.protocol, port.appProtocol]) : '';
}

function byAddress(a: EndpointAddress, b: EndpointAddress): number {
  return compare(a.ip, b.ip) || compare(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** More endpoints are cut off, those that are not ready first, each subset in proportion. */
const capacity = 1_000;

/** Undefined: there is room for all. */
export function truncatedSubsets(subsets: readonly EndpointSubset[]): EndpointSubset[] | undefined {
  const count = (of: 'addresses' | 'notReadyAddresses') => subsets.reduce((sum, subset) => sum + (subset[of]?.length ?? 0), 0);
  const [ready, notReady] = [count('addresses'), count('notReadyAddresses')];
  if (ready + notReady <= capacity) return undefined;
  const cutsReady = ready > capacity;
  const room = cutsReady ? capacity : capacity - ready;
  const total = cutsReady ? ready : notReady;
  let left = room;
  const share = (list: readonly EndpointAddress[]) => {
    const kept = list.slice(0, Math.min(Math.ceil((list.length / total) * room), left));
    left -= kept.length;
    return kept;
  };
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports }) => {
    const keptReady = cutsReady ? share(addresses) : addresses;
    const keptNotReady = cutsReady ? [] : share(notReadyAddresses);
    return {
      ...(keptReady.length > 0 && { addresses: keptReady }),
      ...(keptNotReady.length > 0 && { notReadyAddresses: keptNotReady }),
      ...(ports && { ports }),
    } as EndpointSubset;
  });
}
