import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { notSubdomain } from '../../../../../test/support/format-texts.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('the spec of a pod', pods, validPod, [
  ['no container', { 'spec.containers': [] }, 'spec.containers: Required value'],
  [
    'an unknown restart policy',
    { 'spec.restartPolicy': 'Sometimes' },
    'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    'an unknown DNS policy',
    { 'spec.dnsPolicy': 'Bogus' },
    'spec.dnsPolicy: Unsupported value: "Bogus": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
  ],
  ['a deadline of zero', { 'spec.activeDeadlineSeconds': 0 }, 'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive'],
  [
    'a deadline beyond int32',
    { 'spec.activeDeadlineSeconds': 2147483648 },
    'spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive',
  ],
  [
    'a node selector with a bad key',
    { 'spec.nodeSelector': { 'a b': 'x' } },
    `spec.nodeSelector: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a service account name in capitals',
    { 'spec.serviceAccountName': 'Runner' },
    `spec.serviceAccountName: Invalid value: "Runner": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a bad node name',
    { 'spec.nodeName': 'n_1' },
    `spec.nodeName: Invalid value: "n_1": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  ['a host name with a dot', { 'spec.hostname': 'a.b' }, 'spec.hostname: Invalid value: "a.b": must not contain dots'],
  ['a long subdomain', { 'spec.subdomain': 'a'.repeat(64) }, `spec.subdomain: Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`],
  [
    'a bad hostname override',
    { 'spec.hostnameOverride': 'A' },
    `spec.hostnameOverride: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  ['a long hostname override', { 'spec.hostnameOverride': 'a'.repeat(65) }, 'spec.hostnameOverride: Too long: may not be more than 64 bytes'],
  [
    'a hostname override beside setHostnameAsFQDN',
    { 'spec.hostnameOverride': 'a', 'spec.setHostnameAsFQDN': true },
    'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
  ],
  [
    'a host alias that is no address',
    { 'spec.hostAliases.0.ip': '10.0.0' },
    'spec.hostAliases[0].ip: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  ['a host alias with leading zeros', { 'spec.hostAliases.0.ip': '010.0.0.1' }, 'spec.hostAliases[0].ip: Invalid value: "010.0.0.1": must not have leading 0s'],
  [
    'a host alias in mapped form',
    { 'spec.hostAliases.0.ip': '::ffff:1.2.3.4' },
    'spec.hostAliases[0].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
  ],
  [
    'a bad name of a host alias',
    { 'spec.hostAliases.0.hostnames': ['A'] },
    `spec.hostAliases[0].hostnames[0]: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a readiness gate that is no qualified name',
    { 'spec.readinessGates.0.conditionType': 'a b' },
    `spec.readinessGates[0].conditionType: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  ['the same scheduling gate twice', { 'spec.schedulingGates': [{ name: 'a' }, { name: 'a' }] }, 'spec.schedulingGates[1]: Duplicate value: "a"'],
  [
    'a scheduling gate without a name',
    { 'spec.schedulingGates': [{ name: '' }] },
    'spec.schedulingGates[0]: Invalid value: "": name part must be non-empty',
    `spec.schedulingGates[0]: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a node name on a gated pod',
    { 'spec.schedulingGates': [{ name: 'a' }], 'spec.nodeName': 'n' },
    'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
  ],
  [
    'ephemeral containers on create',
    { 'spec.ephemeralContainers': [{ name: 'debug', image: 'registry.example/debug:1' }] },
    'spec.ephemeralContainers: Forbidden: cannot be set on create',
  ],
  [
    'overhead of an unknown resource',
    { 'spec.overhead': { bogus: '1' } },
    'spec.overhead.limits[bogus]: Invalid value: "bogus": must be a standard resource for containers',
    'spec.overhead.limits[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified',
  ],
  ['an operating system without a name', { 'spec.os': { name: '' } }, 'spec.os.name: Required value'],
  ['an unknown operating system', { 'spec.os': { name: 'plan9' } }, 'spec.os: Unsupported value: "plan9": supported values: "linux", "windows"'],
  ['resource claims without a name', { 'spec.resourceClaims': [{ name: '', resourceClaimName: 'c' }] }, 'spec.resourceClaims[0].name: Required value'],
  [
    'resource claims of the same name',
    {
      'spec.resourceClaims': [
        { name: 'a', resourceClaimName: 'c' },
        { name: 'a', resourceClaimName: 'd' },
      ],
    },
    'spec.resourceClaims[1].name: Duplicate value: "a"',
  ],
  [
    'a resource claim with a bad name',
    { 'spec.resourceClaims': [{ name: 'A', resourceClaimName: 'c' }] },
    `spec.resourceClaims[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
  [
    'a resource claim from two sources',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'c', resourceClaimTemplateName: 't' }] },
    'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"c","ResourceClaimTemplateName":"t"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
  ],
  [
    'a resource claim from nowhere',
    { 'spec.resourceClaims': [{ name: 'a' }] },
    'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
  ],
  [
    'a resource claim of a bad claim name',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimName: 'C' }] },
    `spec.resourceClaims[0].resourceClaimName: Invalid value: "C": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a DNS policy None without a configuration',
    { 'spec.dnsPolicy': 'None', 'spec.dnsConfig': undefined },
    'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
  ],
  [
    'a DNS policy None without name servers',
    { 'spec.dnsPolicy': 'None', 'spec.dnsConfig.nameservers': undefined },
    'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
  ],
  [
    'four name servers',
    { 'spec.dnsConfig.nameservers': ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] },
    'spec.dnsConfig.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","1.1.1.4"]: must not have more than 3 nameservers',
  ],
  [
    'a name server that is no address',
    { 'spec.dnsConfig.nameservers': ['dns'] },
    'spec.dnsConfig.nameservers[0]: Invalid value: "dns": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    '33 search domains',
    { 'spec.dnsConfig.searches': Array.from({ length: 33 }, (_, index) => `s${index}`) },
    'spec.dnsConfig.searches: Invalid value: ["s0","s1","s2","s3","s4","s5","s6","s7","s8","s9","s10","s11","s12","s13","s14","s15","s16","s17","s18","s19","s20","s21","s22","s23","s24","s25","s26","s27","s28","s29","s30","s31","s32"]: must not have more than 32 search paths',
  ],
  [
    'search domains of more than 2048 characters',
    { 'spec.dnsConfig.searches': Array.from({ length: 11 }, () => 'a'.repeat(200)) },
    `spec.dnsConfig.searches: Invalid value: ["${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}","${'a'.repeat(200)}"]: must not have more than 2048 characters (including spaces) in the search list`,
  ],
  [
    'a bad search domain',
    { 'spec.dnsConfig.searches': ['-a'] },
    `spec.dnsConfig.searches[0]: Invalid value: "-a": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')`,
  ],
  ['a DNS option without a name', { 'spec.dnsConfig.options': [{ value: 'x' }] }, 'spec.dnsConfig.options[0]: Required value: must not be empty'],
  [
    'a host port that differs on the host network',
    { 'spec.hostNetwork': true, 'spec.containers.0.ports.0.hostPort': 81 },
    'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
  ],
  ['a priority class that is no name', { 'spec.priorityClassName': 'A' }, `spec.priorityClassName: ${notSubdomain('A')}`],
  ['a runtime class that is no name', { 'spec.runtimeClassName': 'A' }, `spec.runtimeClassName: ${notSubdomain('A')}`],
  [
    'a name for the host in the network of the host',
    { 'spec.hostnameOverride': 'h', 'spec.hostNetwork': true, 'spec.containers.0.ports': [] },
    'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
  ],
  [
    'an unknown preemption policy',
    { 'spec.preemptionPolicy': 'Maybe' },
    'spec.preemptionPolicy: Unsupported value: "Maybe": supported values: "PreemptLowerPriority", "Never"',
  ],
  ['an empty preemption policy', { 'spec.preemptionPolicy': '' }, 'spec.preemptionPolicy: Required value'],
  [
    'a claim template that is no name',
    { 'spec.resourceClaims': [{ name: 'a', resourceClaimTemplateName: 'C' }] },
    `spec.resourceClaims[0].resourceClaimTemplateName: ${notSubdomain('C')}`,
  ],
]);
