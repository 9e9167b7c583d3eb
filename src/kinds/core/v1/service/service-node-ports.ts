// The node ports of a service, and the port of its health check.
import { type ApiError, internalError, invalid, unclassified } from '#api/api-error.ts';
import { FieldErrors } from '#api/field-error.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import { hasNodePortType, needsHealthCheck, nodePortsOf, wantsNodePorts } from '#kinds/core/v1/service/service-kinds.ts';
import type { PortChanges } from '#resource/service-pool.ts';
import { firstBy } from '#kinds/rules/first-by.ts';

export function allocateNodePorts(service: Service, ports: PortChanges): void {
  if (hasNodePortType(service)) allocateEach(service, ports);
  if (needsHealthCheck(service)) allocateHealthCheck(service, ports);
}

/** The same port over several protocols shares one node port. */
function allocateEach(service: Service, changes: PortChanges): void {
  const shared = new Map<number, number>();
  const { ports = [] } = service.spec;
  const given = firstBy(
    ports.filter(({ nodePort }) => nodePort),
    ({ port }) => port,
  );
  ports.forEach((entry, index) => {
    if (!entry.nodePort && !wantsNodePorts(service)) return;
    const known = shared.get(entry.port);
    if (known === undefined) {
      const wanted = given.get(entry.port)?.nodePort;
      entry.nodePort = wanted ?? takeAny(changes);
      if (wanted !== undefined) takeGiven(service, wanted, index, changes);
      shared.set(entry.port, entry.nodePort);
    } else if (!entry.nodePort) entry.nodePort = known;
    else if (entry.nodePort !== known) takeGiven(service, entry.nodePort, index, changes);
  });
}

function takeAny(changes: PortChanges): number {
  const port = changes.takeAny();
  if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
  return port;
}

function takeGiven(service: Service, port: number, index: number, changes: PortChanges): void {
  const problem = changes.take(port);
  if (problem !== undefined) throw portRefused(service, port, index, problem);
}

function portRefused({ metadata }: Service, port: number, index: number, problem: string): ApiError {
  const errors = new FieldErrors();
  errors.invalid(`spec.ports[${index}].nodePort`, port, problem);
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', errors.list);
}

function allocateHealthCheck({ spec }: Service, changes: PortChanges): void {
  const { healthCheckNodePort: wanted } = spec;
  if (wanted) {
    const problem = changes.take(wanted);
    if (problem !== undefined) throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${problem}`);
    return;
  }
  const port = changes.takeAny();
  if (port === undefined) throw internalError('failed to allocate a HealthCheck NodePort 0: range is full');
  spec.healthCheckNodePort = port;
}

export function changeNodePorts(service: Service, old: Service, changes: PortChanges): void {
  if (hasNodePortType(old) && (service.spec.type === 'ClusterIP' || service.spec.type === 'ExternalName')) {
    for (const port of nodePortsOf(old)) changes.freeLater(port);
  }
  if (hasNodePortType(service)) changeEach(service, old, changes);
  if (needsHealthCheck(service) && !needsHealthCheck(old)) allocateHealthCheck(service, changes);
  else if (needsHealthCheck(old) && !needsHealthCheck(service) && old.spec.healthCheckNodePort) changes.freeLater(old.spec.healthCheckNodePort);
}

function changeEach(service: Service, old: Service, changes: PortChanges): void {
  const before = new Set(nodePortsOf(old));
  const taken = new Set<number>();
  const seen = new Set<string>();
  service.spec.ports?.forEach((entry, index) => {
    if (!entry.nodePort && !wantsNodePorts(service)) return;
    if (!entry.nodePort) entry.nodePort = takeAny(changes);
    else if (!before.has(entry.nodePort) && !taken.has(entry.nodePort)) {
      takeGiven(service, entry.nodePort, index, changes);
      taken.add(entry.nodePort);
    }
    const shown = `{${entry.protocol} ${entry.nodePort}}`;
    if (seen.has(shown)) throw unclassified(`duplicate nodePort: ${shown}`);
    seen.add(shown);
  });
  const after = new Set(nodePortsOf(service));
  for (const port of before) if (!after.has(port)) changes.freeLater(port);
}
