// Which resources and subresources have a verb of their own.
import {
  NodeProxyOptions,
  PodAttachOptions,
  PodExecOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  ServiceProxyOptions,
} from '#kinds/core/v1/connect-options.ts';
import { Binding } from '#kinds/core/v1/pod/binding.ts';
import { Scale } from '#kinds/autoscaling/v1/scale.ts';
import { scaleColumns } from '#kinds/autoscaling/v1/scale-columns.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { Eviction } from '#kinds/policy/v1/eviction.ts';
import type { Column } from '#resource/column.ts';
import { handlerKey, scaleKey, type SubresourceHandler, type SubresourceHandlers } from '#verbs/subresource.ts';
import { bindPod } from '#verbs/subresources/binding.ts';
import { connecting } from '#verbs/subresources/connect.ts';
import { evictPod } from '#verbs/subresources/eviction.ts';
import { forwardPorts, proxyToPod, readPodLog, streamToContainer } from '#verbs/subresources/pod-connect.ts';
import { proxyToNode, proxyToService } from '#verbs/subresources/proxy-targets.ts';
import { reviewHandlers, type ReviewServices } from '#verbs/subresources/reviews.ts';
import { requestToken, type TokenRequestServices } from '#verbs/subresources/token-request.ts';
import { scaleObject } from '#verbs/subresources/scale.ts';

export function subresourceHandlers(reviews: ReviewServices, tokens: TokenRequestServices): SubresourceHandlers {
  const schemas = { status: Status, binding: Binding, eviction: Eviction, scale: Scale, scaleColumns: scaleColumns as readonly Column[] };
  const binding = bindPod(schemas);
  return new Map<string, SubresourceHandler>([
    [handlerKey('', 'bindings', ''), binding],
    [handlerKey('', 'pods', 'binding'), binding],
    [handlerKey('', 'pods', 'eviction'), evictPod(schemas)],
    [handlerKey('', 'pods', 'log'), readPodLog],
    [handlerKey('', 'pods', 'exec'), connecting(PodExecOptions, streamToContainer)],
    [handlerKey('', 'pods', 'attach'), connecting(PodAttachOptions, streamToContainer)],
    [handlerKey('', 'pods', 'portforward'), connecting(PodPortForwardOptions, forwardPorts)],
    [handlerKey('', 'pods', 'proxy'), connecting(PodProxyOptions, proxyToPod)],
    [handlerKey('', 'services', 'proxy'), connecting(ServiceProxyOptions, proxyToService)],
    [handlerKey('', 'nodes', 'proxy'), connecting(NodeProxyOptions, proxyToNode)],
    [handlerKey('', 'serviceaccounts', 'token'), requestToken(tokens)],
    ...Object.entries(reviewHandlers(reviews)).map(([resource, handler]) => [handlerKey(reviewGroup(resource), resource, ''), handler] as const),
    [scaleKey, scaleObject(schemas)],
  ]);
}

function reviewGroup(resource: string): string {
  return resource === 'tokenreviews' || resource === 'selfsubjectreviews' ? 'authentication.k8s.io' : 'authorization.k8s.io';
}
