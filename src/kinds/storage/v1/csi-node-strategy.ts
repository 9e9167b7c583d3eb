import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, nameIsSubdomain } from '#base/formats.ts';
import { repeatedAt } from '#base/repeated.ts';
import { validateCsiDriverName } from '#kinds/core/v1/volume/volume-validation.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import type { CSINode, CSINodeDriver } from '#kinds/storage/v1/csi-node.ts';
import type { Column } from '#resource/column.ts';
import { validateLabelKey, validateNonNegative } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

const nodeIdBytes = 256;

export const csiNodeStrategy: Strategy<CSINode> = {
  returnsDeleted: true,
  allowUnconditionalUpdate: false,
  validate: validateCsiNode,
  validateUpdate(node, old, errors) {
    validateCsiNode(node, errors);
    for (const before of old.spec.drivers ?? []) {
      for (const driver of node.spec.drivers ?? []) if (driver.name === before.name) validateSameDriver(driver, before, errors);
    }
  },
};

/** How much a driver can take is the only thing that may change. */
function validateSameDriver(driver: CSINodeDriver, old: CSINodeDriver, errors: FieldErrors): void {
  const [now, before] = [driver, old].map(({ name, nodeID, topologyKeys = [] }) => ({ name, nodeID, topologyKeys }));
  if (semanticEqual(now, before)) return;
  const TopologyKeys = driver.topologyKeys ?? (wasGivenEmpty(driver, 'topologyKeys') ? [] : null);
  errors.invalid('spec.drivers', { Name: driver.name, NodeID: driver.nodeID, TopologyKeys, Allocatable: null }, 'field is immutable');
}

function validateCsiNode({ metadata, spec }: CSINode, errors: FieldErrors): void {
  validateObjectMeta(metadata, false, nameIsSubdomain, errors);
  const names = new Set<string>();
  spec.drivers?.forEach((driver, index) => {
    const at = `spec.drivers[${index}]`;
    validateDriver(driver, at, errors);
    if (names.has(driver.name)) errors.duplicate(`${at}.name`, driver.name);
    names.add(driver.name);
    validateTopologyKeys(driver.topologyKeys ?? [], at, errors);
  });
}

function validateDriver({ name, nodeID, allocatable }: CSINodeDriver, path: string, errors: FieldErrors): void {
  validateCsiDriverName(name, `${path}.name`, errors);
  if (nodeID === '') errors.required(`${path}.nodeID`);
  if (byteLength(nodeID) > nodeIdBytes) errors.invalid(`${path}.nodeID`, nodeID, `must be ${nodeIdBytes} characters or less`);
  validateNonNegative(allocatable?.count, `${path}.allocatable.count`, errors);
}

/** Reported at the driver, as upstream does. */
function validateTopologyKeys(keys: readonly string[], path: string, errors: FieldErrors): void {
  const repeated = repeatedAt(keys);
  keys.forEach((key, index) => {
    if (key === '') errors.required(path);
    if (repeated[index]) errors.duplicate(path, key);
    validateLabelKey(key, path, errors);
  });
}

export const csiNodeColumns: readonly Column<CSINode>[] = [
  nameColumn(),
  { name: 'Drivers', type: 'integer', read: ({ spec }) => spec.drivers?.length ?? 0 },
  ageColumn(),
];
