// What OpenAPI documents need beyond the resources: the structs that operations take and answer, and the descriptions.
import { TokenRequest } from '#kinds/authentication/v1/token-request.ts';
import { Scale } from '#kinds/autoscaling/v1/scale.ts';
import { Binding } from '#kinds/core/v1/pod/binding.ts';
import {
  NodeProxyOptions,
  PodAttachOptions,
  PodExecOptions,
  PodLogOptions,
  PodPortForwardOptions,
  PodProxyOptions,
  ServiceProxyOptions,
} from '#kinds/core/v1/connect-options.ts';
import { loadDescriptions } from '#kinds/descriptions/load.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '#kinds/meta/v1/discovery.ts';
import { Patch } from '#kinds/meta/v1/group-version.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { DeleteOptions } from '#kinds/meta/v1/options.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { VersionInfo } from '#kinds/meta/v1/version-info.ts';
import { WatchEvent } from '#kinds/meta/v1/watch-event.ts';
import { Eviction } from '#kinds/policy/v1/eviction.ts';

export const openApiVocabulary = {
  objectMeta: ObjectMeta,
  listMeta: ListMeta,
  status: Status,
  deleteOptions: DeleteOptions,
  patch: Patch,
  watchEvent: WatchEvent,
  apiVersions: APIVersions,
  apiGroup: APIGroup,
  apiGroupList: APIGroupList,
  apiResourceList: APIResourceList,
  versionInfo: VersionInfo,
  subresources: [
    Binding,
    Eviction,
    NodeProxyOptions,
    PodAttachOptions,
    PodExecOptions,
    PodLogOptions,
    PodPortForwardOptions,
    PodProxyOptions,
    Scale,
    ServiceProxyOptions,
    TokenRequest,
  ],
  descriptions: loadDescriptions,
};
