// What every kind that makes pods from a template refuses of it. Its objects select by `app: web`, which their templates carry.
import type { Refusal } from './rule-cases.ts';

export const templateRefusals: readonly Refusal[] = [
  [
    'a template whose labels the selector does not match',
    { 'spec.template.metadata.labels': { app: 'other' } },
    'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
  ],
  [
    'template annotations that are none',
    { 'spec.template.metadata.annotations': { 'a b': 'c' } },
    `spec.template.annotations: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  ['a template without containers', { 'spec.template.spec.containers': [] }, 'spec.template.spec.containers: Required value'],
  [
    'ephemeral containers in a template',
    { 'spec.template.spec.ephemeralContainers': [{ name: 'd', image: 'x:1' }] },
    'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
  ],
  [
    'a restart policy that ends',
    { 'spec.template.spec.restartPolicy': 'Never' },
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  ],
];
