import { podtemplates } from '#kinds/core/v1/pod/pod-template-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'one' },
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] } },
};

describeRefusals('pod templates', podtemplates, valid, [
  [
    'a name that is none',
    { 'metadata.name': 'A' },
    `metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'labels that are none',
    { 'template.metadata.labels': { 'a b': 'c' } },
    `template.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'annotations that are none',
    { 'template.metadata.annotations': { 'a b': 'c' } },
    `template.annotations: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  ['a container without an image', { 'template.spec.containers.0.image': '' }, 'template.spec.containers[0].image: Required value'],
  [
    'ephemeral containers',
    { 'template.spec.ephemeralContainers': [{ name: 'd', image: 'x:1' }] },
    'template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
  ],
]);

describeUpdateRefusals('updates of pod templates', podtemplates, valid, [
  ['a container without a name', { 'template.spec.containers.0.name': '' }, 'template.spec.containers[0].name: Required value'],
]);
