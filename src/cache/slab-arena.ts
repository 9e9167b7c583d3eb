// Room for the bytes of many objects: 1 MB slabs instead of one allocation each, which keeps garbage collections short.
// Bytes are written once and never overwritten, so a view into a slab stays true as long as a reader holds it. A slab
// whose tenants are mostly gone is given up: the rest moves to a new one and the collector takes it with its last view.

export interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** Of `used`, what belongs to tenants that were not released. */
  live: number;
  tenants: Tenant[];
}

export interface Tenant {
  readonly slab: Slab;
  readonly offset: number;
  /** Bytes that it takes in the slab. */
  readonly keptLength: number;
  /** Where it stands among the tenants of its slab. */
  seat: number;
  settle(slab: Slab, offset: number): void;
}

const SLAB_BYTES = 1 << 20;
/** Below this share of living bytes a slab is given up. More of it costs memory, less of it copying. */
const SPARSE = 0.7;

export class SlabArena {
  #current: Slab = emptySlab(0);

  /** A slab with this much room at `used`; large objects get one of their own. */
  room(length: number): Slab {
    if (length > SLAB_BYTES / 4) return emptySlab(length);
    const full = this.#current;
    if (full.used + length > full.bytes.length) {
      this.#current = emptySlab(SLAB_BYTES);
      this.#vacateIfSparse(full);
    }
    return this.#current;
  }

  /** Registers a tenant whose bytes have been written at the end of its slab. */
  admit(tenant: Tenant): void {
    const { slab, keptLength } = tenant;
    slab.used += keptLength;
    slab.live += keptLength;
    tenant.seat = slab.tenants.length;
    slab.tenants.push(tenant);
  }

  /** The tenant is not needed for long any more. The slab forgets it at once: with it would stay its kind, and with a custom kind its whole schema. */
  leave({ slab, keptLength, seat }: Tenant): void {
    const last = slab.tenants.pop();
    if (last !== undefined && seat < slab.tenants.length) {
      slab.tenants[seat] = last;
      last.seat = seat;
    }
    slab.live -= keptLength;
    if (slab !== this.#current) this.#vacateIfSparse(slab);
  }

  #vacateIfSparse(slab: Slab): void {
    if (slab.live >= slab.bytes.length * SPARSE) return;
    const staying = slab.tenants;
    slab.tenants = [];
    // Not counted any more: further departures must not vacate it again.
    slab.live = Number.POSITIVE_INFINITY;
    for (const tenant of staying) this.#move(tenant, slab);
  }

  #move(tenant: Tenant, from: Slab): void {
    const to = this.room(tenant.keptLength);
    const offset = to.used;
    from.bytes.copy(to.bytes, offset, tenant.offset, tenant.offset + tenant.keptLength);
    tenant.settle(to, offset);
    this.admit(tenant);
  }
}

function emptySlab(length: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(length), used: 0, live: 0, tenants: [] };
}

/** Bytes that live on their own, outside of any arena. */
export function looseSlab(bytes: Buffer): Slab {
  return { bytes, used: bytes.length, live: bytes.length, tenants: [] };
}
