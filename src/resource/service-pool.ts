// What services draw on: cluster addresses and node ports. Strategies are static data; the state behind this is made in app/.
import type { Lister, Writer } from '#api/lister.ts';

export interface ServicePool {
  /** The address families of the cluster (`IPv4`, `IPv6`), the default one first. */
  readonly families: readonly string[];
  readonly addresses: AddressPool;
  readonly nodePorts: PortPool;
}

/** How a pool reaches the objects of the cluster. */
export interface PoolAccess {
  readonly lister: Lister;
  readonly writer: Writer;
}

export interface AddressRequest {
  readonly family: string;
  /** '' for any. */
  readonly wanted: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
}

export type AddressAnswer =
  | { readonly is: 'taken'; readonly address: string }
  /** `full` when it is not the caller's fault. */
  | { readonly is: 'refused'; readonly why: string; readonly full: boolean };

export interface AddressPool {
  take(request: AddressRequest, access: PoolAccess): Promise<AddressAnswer>;
  free(address: string, access: PoolAccess): Promise<void>;
}

export interface PortPool {
  /** A set of changes that become good together. */
  begin(dryRun: boolean, access: PoolAccess): Promise<PortChanges>;
  free(ports: readonly number[]): void;
}

export interface PortChanges {
  /** The reason why not; undefined when the port is ours. */
  take(port: number): string | undefined;
  /** Undefined when there is none left. */
  takeAny(): number | undefined;
  freeLater(port: number): void;
  /** Takes them for all servers; false when another server was faster with one of them, and other ports have to be found. */
  claim(): Promise<boolean>;
  end(committed: boolean): void;
}
