// Ports of the node itself that pods on it use, and whether another pod's would clash.
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export interface HostPort {
  readonly ip: string;
  /** `TCP/80` */
  readonly port: string;
}

const everyAddress = '0.0.0.0';

export function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...sidecars, ...(spec.containers ?? [])].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, hostIP, protocol }) => (hostPort > 0 ? [{ ip: hostIP || everyAddress, port: `${protocol || 'TCP'}/${hostPort}` }] : [])),
  );
}

/** A port on every address clashes with the same port on any. */
export function clashes(wanted: readonly HostPort[], used: Iterable<HostPort>): boolean {
  if (wanted.length === 0) return false;
  for (const other of used) {
    for (const { ip, port } of wanted) if (port === other.port && (ip === other.ip || ip === everyAddress || other.ip === everyAddress)) return true;
  }
  return false;
}
