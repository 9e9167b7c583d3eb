// What the server fills in for containers and what they are made of.
import { Container } from '#kinds/core/v1/container/container.ts';
import { EphemeralContainer } from '#kinds/core/v1/container/ephemeral-container.ts';
import { ObjectFieldSelector, ResourceFieldSelector } from '#kinds/core/v1/container/env-var.ts';
import { HTTPGetAction, Probe } from '#kinds/core/v1/container/probe.ts';
import { ResourceRequirements } from '#kinds/core/v1/container/resource-requirements.ts';
import { defaultPullPolicy } from '#kinds/rules/images.ts';
import { roundResourceLists } from '#kinds/rules/resource-lists.ts';
import { type Defaults, defaultsOf } from '#schema/defaults.ts';

type ResourceList = Record<string, string>;

export const containerDefaults: Defaults = [
  defaultsOf(Container, defaultContainer),
  defaultsOf(EphemeralContainer, defaultContainer),
  defaultsOf(ResourceRequirements, defaultResourceRequirements),
  defaultsOf(Probe, defaultProbe),
  defaultsOf(HTTPGetAction, defaultHttpGet),
  defaultsOf(ObjectFieldSelector, defaultFieldSelector),
  defaultsOf(ResourceFieldSelector, defaultResourceFieldSelector),
];

function defaultContainer(container: Pick<Container, 'image' | 'imagePullPolicy' | 'terminationMessagePath' | 'terminationMessagePolicy'>): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
}

export function defaultResourceRequirements({ limits, requests }: { limits?: ResourceList | undefined; requests?: ResourceList | undefined }): void {
  roundResourceLists(limits, requests);
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
}

function defaultHttpGet(action: HTTPGetAction): void {
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

function defaultFieldSelector(selector: ObjectFieldSelector): void {
  selector.apiVersion ||= 'v1';
}

/** Printed as `0` when it is not given. */
function defaultResourceFieldSelector(selector: ResourceFieldSelector): void {
  selector.divisor ??= '0';
}
