// A network cut into equal blocks, one for each node. Blocks are handed out in turn, so that one that was given back rests a while.
import { formatCidr, type IpNetwork } from '#base/ip-address.ts';

/** As many blocks as the original can count in a network of IPv6. */
const mostIpv6Bits = 16;

export class NodeNetworks {
  readonly #network: IpNetwork;
  readonly #blockPrefix: number;
  readonly #count: number;
  readonly #used = new Set<number>();
  #next = 0;

  constructor(network: IpNetwork, blockPrefix: number) {
    const bits = blockPrefix - network.prefix;
    if (bits < 0) throw new Error(`a network of /${network.prefix} has no blocks of /${blockPrefix}`);
    if (network.base.family === 6 && bits > mostIpv6Bits) throw new Error('New CIDR set failed; the node CIDR size is too big');
    this.#network = network;
    this.#blockPrefix = blockPrefix;
    this.#count = 2 ** bits;
  }

  /** Undefined: all are taken. */
  take(): string | undefined {
    if (this.#used.size >= this.#count) return undefined;
    while (this.#used.has(this.#next)) this.#next = (this.#next + 1) % this.#count;
    const index = this.#next;
    this.#used.add(index);
    this.#next = (index + 1) % this.#count;
    return this.#block(index);
  }

  /** Also of a network that is larger than a block. False: it lies outside. */
  occupy(network: IpNetwork): boolean {
    return this.#each(network, (index) => this.#used.add(index));
  }

  release(network: IpNetwork): boolean {
    return this.#each(network, (index) => this.#used.delete(index));
  }

  #each(network: IpNetwork, work: (index: number) => void): boolean {
    const { base, prefix } = this.#network;
    if (network.base.family !== base.family) return false;
    const shift = this.#hostBits();
    const size = 1n << BigInt((base.family === 4 ? 32 : 128) - network.prefix);
    const [first, last] = [(network.base.value - base.value) >> shift, (network.base.value + size - 1n - base.value) >> shift];
    if (last < 0n || first >= BigInt(this.#count) || (network.prefix <= prefix && last < 0n)) return false;
    for (let index = Math.max(Number(first), 0); index <= Math.min(Number(last), this.#count - 1); index++) work(index);
    return true;
  }

  #block(index: number): string {
    const { base } = this.#network;
    const value = base.value + (BigInt(index) << this.#hostBits());
    return formatCidr({ address: { ...base, value }, base: { ...base, value }, prefix: this.#blockPrefix });
  }

  #hostBits(): bigint {
    return BigInt((this.#network.base.family === 4 ? 32 : 128) - this.#blockPrefix);
  }
}
