// How nodes are written, and what the server fills in.
import type { Node, NodeSpec, NodeStatus } from '#kinds/core/v1/node/node.ts';
import { validateNode, validateNodeUpdate } from '#kinds/core/v1/node/node-validation.ts';
import { cidrWarnings } from '#kinds/rules/addresses.ts';
import { roundResourceLists } from '#kinds/rules/resource-lists.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

/** The single network of old is the first of the list; where they differ, it wins. */
export function defaultNodeSpec(spec: NodeSpec): void {
  const { podCIDR, podCIDRs = [] } = spec;
  if (podCIDR && podCIDR !== podCIDRs[0]) spec.podCIDRs = [podCIDR];
  else if (podCIDRs[0]) spec.podCIDR = podCIDRs[0];
}

export function defaultNodeStatus(status: NodeStatus): void {
  roundResourceLists(status.capacity, status.allocatable);
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
}

export const nodeStrategy: Strategy<Node> = {
  selectableMetadata: ['metadata.name'],
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
  prepareForCreate({ spec, status }, { gate }) {
    delete spec.configSource;
    delete status.config;
    if (!gate('NodeDeclaredFeatures')) delete status.declaredFeatures;
  },
  validate: validateNode,
  warnOnCreate: nodeWarnings,

  prepareForUpdate(node, old) {
    node.status = old.status;
    if (old.spec.configSource === undefined) delete node.spec.configSource;
  },
  validateUpdate(node, old, errors, context) {
    validateNode(node, errors, context);
    validateNodeUpdate(node, old, errors);
  },
  warnOnUpdate: nodeWarnings,

  subresources: {
    status: statusStrategy<Node>({
      prepare({ status }, old, { gate }) {
        if (old.status.config === undefined) delete status.config;
        if (!gate('NodeDeclaredFeatures') && old.status.declaredFeatures === undefined) delete status.declaredFeatures;
      },
      validateUpdate: validateNodeUpdate,
    }),
  },
};

function nodeWarnings({ spec }: Node): readonly string[] {
  return [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(spec.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
    ...(spec.podCIDRs ?? []).flatMap((cidr, index) => cidrWarnings(cidr, `spec.podCIDRs[${index}]`)),
  ];
}
