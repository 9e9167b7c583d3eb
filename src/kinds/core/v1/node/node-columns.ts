import type { Node } from '#kinds/core/v1/node/node.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

const rolePrefix = 'node-role.kubernetes.io/';

function statusCell({ spec, status }: Node): string {
  const ready = status.conditions?.findLast(({ type }) => type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable ? `${text},SchedulingDisabled` : text;
}

function rolesCell({ metadata }: Node): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  const named = new Set(roles.filter((role) => role !== ''));
  return named.size === 0 ? '<none>' : [...named].toSorted().join(',');
}

function addressCell({ status }: Node, type: string): string {
  return status.addresses?.find((address) => address.type === type)?.address ?? '<none>';
}

function kernelCell({ status }: Node): string {
  const { kernelVersion, architecture } = status.nodeInfo;
  const kernel = kernelVersion || '<unknown>';
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

export const nodeColumns: readonly Column<Node>[] = [
  nameColumn(),
  { name: 'Status', type: 'string', read: statusCell },
  { name: 'Roles', type: 'string', read: rolesCell },
  ageColumn(),
  { name: 'Version', type: 'string', read: ({ status }) => status.nodeInfo.kubeletVersion },
  { name: 'Internal-IP', type: 'string', priority: 1, read: (node) => addressCell(node, 'InternalIP') },
  { name: 'External-IP', type: 'string', priority: 1, read: (node) => addressCell(node, 'ExternalIP') },
  { name: 'OS-Image', type: 'string', priority: 1, read: ({ status }) => status.nodeInfo.osImage || '<unknown>' },
  { name: 'Kernel-Version', type: 'string', priority: 1, read: kernelCell },
  { name: 'Container-Runtime', type: 'string', priority: 1, read: ({ status }) => status.nodeInfo.containerRuntimeVersion || '<unknown>' },
];
