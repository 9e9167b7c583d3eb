// Addresses of nodes that play and of the pods on them: of two networks that no Service and no real machine has by default.
import { formatIp, parseCidrSloppy, parseIpSloppy } from '#base/ip-address.ts';

/** 172.30.0.0/16: one for each node. */
const hosts = (172 << 24) | (30 << 16);
const maxHosts = 65_534;
/** 10.128.0.0/9: 256 for each node that has no network of its own. */
const podNetworks = (10 << 24) | (128 << 16);
const perNode = 256;

/** `slot` counts nodes from 0. */
export function hostAddress(slot: number): string {
  return dotted(hosts + 1 + slot);
}

/** Undefined: no address of ours. */
export function slotOf(address: string): number | undefined {
  const ip = parseIpSloppy(address);
  const slot = ip?.family === 4 ? Number(ip.value) - (hosts >>> 0) - 1 : -1;
  return slot >= 0 && slot < maxHosts ? slot : undefined;
}

export function podNetwork(slot: number): string {
  return `${dotted(podNetworks + slot * perNode)}/24`;
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

/** Addresses of one node. The first is the network's own, the second that of its bridge, as with most networks of pods. */
export class AddressPool {
  readonly #used = new Map<string, string>();
  readonly #first: bigint;
  readonly #size: bigint;
  readonly #family: 4 | 6;
  #next = 2n;

  constructor(cidr: string) {
    const network = parseCidrSloppy(cidr) ?? parseCidrSloppy('10.128.0.0/24');
    if (network === undefined) throw new Error(`no network: ${cidr}`);
    const { base, prefix } = network;
    this.#first = base.value;
    this.#family = base.family;
    const bits = (base.family === 4 ? 32 : 128) - prefix;
    this.#size = 1n << BigInt(Math.min(bits, 32));
  }

  /** The address is of this pod from now on, or was before this process began. */
  occupy(address: string, pod: string): void {
    this.#used.set(address, pod);
  }

  /** Addresses are given anew only when all others were: what still speaks to a pod that is gone does not reach another. */
  take(pod: string): string {
    for (let tried = 0n; tried < this.#size; tried += 1n) {
      const offset = this.#next;
      this.#next = offset + 1n >= this.#size ? 2n : offset + 1n;
      const address = formatIp({ family: this.#family, value: this.#first + offset });
      if (this.#used.has(address)) continue;
      this.#used.set(address, pod);
      return address;
    }
    throw new Error('all addresses of the node are taken');
  }

  release(address: string, pod: string): void {
    if (this.#used.get(address) === pod) this.#used.delete(address);
  }
}
