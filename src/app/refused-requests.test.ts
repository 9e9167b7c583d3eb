// What is refused outside of the rules of kinds: options of requests, logs, bindings, tokens, allocation, labels of pod security.
import { describeRefusedRequests } from '../../test/support/refused-requests.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const services = '/api/v1/namespaces/default/services';
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'refused-requests' } };
const one = `${maps}/refused-requests`;
const apply = { body: map, type: 'application/apply-patch+yaml' };
const merge = { body: {}, type: 'application/merge-patch+json' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const manager = 'm'.repeat(129);

describeRefusedRequests({
  name: 'options of creations',
  write: 'request',
  kind: 'CreateOptions',
  cases: [
    [`POST ${maps}?dryRun=Some`, { body: map }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [`POST ${maps}?fieldManager=${manager}`, { body: map }, 'fieldManager: Too long: may not be more than 128 bytes'],
    [`POST ${maps}?fieldManager=a%0Ab`, { body: map }, 'fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)'],
    [`POST ${maps}?fieldValidation=Lax`, { body: map }, 'fieldValidation: Unsupported value: "Lax": supported values: "", "Ignore", "Strict", "Warn"'],
  ],
});

describeRefusedRequests({
  name: 'options of updates',
  write: 'request',
  kind: 'UpdateOptions',
  objects: [[maps, map]],
  cases: [
    [`PUT ${one}?dryRun=Some`, { body: map }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [`PUT ${one}?fieldManager=${manager}`, { body: map }, 'fieldManager: Too long: may not be more than 128 bytes'],
    [`PUT ${one}?fieldManager=a%0Ab`, { body: map }, 'fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)'],
    [`PUT ${one}?fieldValidation=Lax`, { body: map }, 'fieldValidation: Unsupported value: "Lax": supported values: "", "Ignore", "Strict", "Warn"'],
  ],
});

describeRefusedRequests({
  name: 'options of patches',
  write: 'request',
  kind: 'PatchOptions',
  objects: [[maps, map]],
  cases: [
    [`PATCH ${one}?dryRun=Some`, { ...merge }, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [`PATCH ${one}?fieldManager=${manager}`, { ...merge }, 'fieldManager: Too long: may not be more than 128 bytes'],
    [`PATCH ${one}?fieldManager=a%0Ab`, { ...merge }, 'fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)'],
    [`PATCH ${one}?fieldValidation=Lax`, { ...merge }, 'fieldValidation: Unsupported value: "Lax": supported values: "", "Ignore", "Strict", "Warn"'],
    [`PATCH ${one}?force=true`, { ...merge }, 'force: Forbidden: may not be specified for non-apply patch'],
    [`PATCH ${one}`, { ...apply }, 'fieldManager: Required value: is required for apply patch'],
  ],
});

describeRefusedRequests({
  name: 'options of deletions',
  write: 'request',
  kind: 'DeleteOptions',
  objects: [[maps, map]],
  cases: [
    [`DELETE ${one}?dryRun=Some`, {}, 'dryRun: Unsupported value: ["Some"]: supported values: "All"'],
    [
      `DELETE ${one}?propagationPolicy=Later`,
      {},
      'propagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      `DELETE ${one}?propagationPolicy=Orphan&orphanDependents=true`,
      {},
      'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [`DELETE ${one}?propagationPolicy=`, {}, 'propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"'],
    [
      `DELETE ${one}?dryRun=All`,
      { body: { propagationPolicy: 'Later', dryRun: ['Some'] } },
      'dryRun: Unsupported value: ["Some"]: supported values: "All"',
      'propagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
  ],
});

describeRefusedRequests({
  name: 'options of lists and watches',
  write: 'request',
  kind: 'ListOptions',
  cases: [
    [`GET ${maps}?resourceVersionMatch=Exact`, {}, 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided'],
    [
      `GET ${maps}?resourceVersionMatch=Exact&resourceVersion=1&continue=x`,
      {},
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [
      `GET ${maps}?resourceVersionMatch=Exact&resourceVersion=0`,
      {},
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      `GET ${maps}?resourceVersionMatch=Near&resourceVersion=1`,
      {},
      'resourceVersionMatch: Unsupported value: "Near": supported values: "Exact", "NotOlderThan", ""',
    ],
    [`GET ${maps}?sendInitialEvents=true`, {}, 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
    [
      `GET ${maps}?watch=true&resourceVersionMatch=NotOlderThan`,
      {},
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      `GET ${maps}?watch=true&sendInitialEvents=true`,
      {},
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      `GET ${maps}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact`,
      {},
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"',
    ],
  ],
});

describeRefusedRequests({
  name: 'options of tables',
  write: 'request',
  kind: 'TableOptions',
  answer: ([error]) => ({ code: 400, reason: 'BadRequest', causes: [{ reason: '', message: `Unable to convert to Table as requested: ${error}`, field: '' }] }),
  cases: [[`GET ${maps}?includeObject=Some`, { ...table }, `includeObject: Invalid value: "Some": must be 'Metadata', 'Object', 'None', or empty`]],
});

describeRefusedRequests({
  name: 'logs',
  write: 'log',
  kind: 'Pod',
  objects: [[pods, { metadata: { name: 'refused-requests' }, spec: { containers: [{ name: 'main', image: 'i' }] } }]],
  cases: [
    [`GET ${pods}/refused-requests/log?tailLines=-1`, {}, 'tailLines: Invalid value: -1: must be greater than or equal to 0'],
    [`GET ${pods}/refused-requests/log?limitBytes=0`, {}, 'limitBytes: Invalid value: 0: must be greater than 0'],
    [`GET ${pods}/refused-requests/log?sinceSeconds=0`, {}, 'sinceSeconds: Invalid value: 0: must be greater than 0'],
    [
      `GET ${pods}/refused-requests/log?sinceSeconds=1&sinceTime=2030-01-02T03:04:05Z`,
      {},
      '[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    [`GET ${pods}/refused-requests/log?stream=Stdout`, {}, 'stream: Forbidden: may not be specified'],
  ],
});

describeRefusedRequests({
  name: 'streams of logs',
  write: 'log',
  kind: 'Pod',
  objects: [[pods, { metadata: { name: 'refused-requests' }, spec: { containers: [{ name: 'main', image: 'i' }] } }]],
  flags: ['--feature-gates=PodLogsQuerySplitStreams=true'],
  gates: { PodLogsQuerySplitStreams: 'true' },
  cases: [
    [`GET ${pods}/refused-requests/log?stream=Stdout&tailLines=1`, {}, '[]: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now'],
  ],
});

/** The original lists the streams in any order. */
describeRefusedRequests({
  name: 'unknown streams of logs',
  write: 'log',
  kind: 'Pod',
  asked: false,
  objects: [[pods, { metadata: { name: 'refused-requests' }, spec: { containers: [{ name: 'main', image: 'i' }] } }]],
  flags: ['--feature-gates=PodLogsQuerySplitStreams=true'],
  gates: { PodLogsQuerySplitStreams: 'true' },
  cases: [[`GET ${pods}/refused-requests/log?stream=Other`, {}, 'stream: Unsupported value: "Other": supported values: "Stdout", "Stderr", "All"']],
});

/** The original answers these with a 500, which says that the server is at fault. */
describeRefusedRequests({
  name: 'bindings',
  write: 'binding',
  kind: 'Pod',
  asked: false,
  objects: [[pods, { metadata: { name: 'refused-requests' }, spec: { containers: [{ name: 'main', image: 'i' }] } }]],
  answer: (errors) => ({ code: 400, reason: '', causes: [{ reason: '', message: errors[0] ?? '', field: '' }] }),
  cases: [
    [
      `POST ${pods}/refused-requests/binding`,
      { what: 'a target that is no node', body: { metadata: { name: 'refused-requests' }, target: { kind: 'Pod', name: 'n' } } },
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    ],
    [
      `POST ${pods}/refused-requests/binding`,
      { what: 'no target', body: { metadata: { name: 'refused-requests' }, target: { kind: 'Node' } } },
      'target.name: Required value',
    ],
  ],
});

describeRefusedRequests({
  name: 'tokens',
  write: 'request',
  kind: 'TokenRequest',
  objects: [['/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'refused-requests' } }]],
  cases: [
    [
      'POST /api/v1/namespaces/default/serviceaccounts/refused-requests/token',
      { what: 'too short a life', body: { spec: { audiences: ['a'], expirationSeconds: 599 } } },
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      'POST /api/v1/namespaces/default/serviceaccounts/refused-requests/token',
      { what: 'too long a life', body: { spec: { audiences: ['a'], expirationSeconds: 4_294_967_297 } } },
      'spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
  ],
});

describeRefusedRequests({
  name: 'what services ask for',
  write: 'request',
  kind: 'Service',
  flags: ['--service-cluster-ip-range=10.96.0.0/16'],
  objects: [[services, { metadata: { name: 'refused-requests' }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] } }]],
  cases: [
    [
      `POST ${services}?dryRun=All`,
      { what: 'a port that is taken', body: { metadata: { name: 'a' }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] } } },
      'spec.ports[0].nodePort: Invalid value: 30123: provided port is already allocated',
    ],
    [
      `POST ${services}`,
      { what: 'a port out of range', body: { metadata: { name: 'a' }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] } } },
      'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ],
    [
      `POST ${services}?dryRun=All`,
      { what: 'two families', body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], ipFamilyPolicy: 'RequireDualStack' } } },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ],
    [
      `POST ${services}?dryRun=All`,
      { what: 'the other family', body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], ipFamilies: ['IPv6'] } } },
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ],
    [
      `POST ${services}?dryRun=All`,
      { what: 'an address of the other family', body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], clusterIP: 'fd00::1' } } },
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ],
    [
      `POST ${services}?dryRun=All`,
      { what: 'an address out of range', body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], clusterIP: '10.97.0.1' } } },
      'spec.clusterIPs: Invalid value: ["10.97.0.1"]: failed to allocate IP 10.97.0.1: the provided IP (10.97.0.1) is not in the valid range. The range of valid IPs is 10.96.0.0/16',
    ],
    [
      `POST ${services}?dryRun=All`,
      {
        what: 'one of two families',
        body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] } },
      },
      "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    ],
    [
      `POST ${services}`,
      { what: 'an address that is taken', body: { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], clusterIP: '10.96.0.1' } } },
      'spec.clusterIPs: Invalid value: ["10.96.0.1"]: failed to allocate IP 10.96.0.1: provided IP is already allocated',
    ],
  ],
});

describeRefusedRequests({
  name: 'labels of pod security',
  write: 'request',
  kind: 'Namespace',
  cases: [
    [
      'POST /api/v1/namespaces?dryRun=All',
      { what: 'an unknown level', body: { metadata: { name: 'a', labels: { 'pod-security.kubernetes.io/enforce': 'loose' } } } },
      'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "loose": must be one of privileged, baseline, restricted',
    ],
    [
      'POST /api/v1/namespaces?dryRun=All',
      { what: 'an unknown version', body: { metadata: { name: 'a', labels: { 'pod-security.kubernetes.io/enforce-version': 'v2.1' } } } },
      'metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: "v2.1": must be "latest" or "v1.x"',
    ],
  ],
});
