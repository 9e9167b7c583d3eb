import { volumeattributesclasses } from '#kinds/storage/v1/volume-attributes-class-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const attributes = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttributesClass',
  metadata: { name: 'rules-one' },
  driverName: 'disk.example.com',
  parameters: { a: 'b' },
};

describeRefusals('classes of attributes', volumeattributesclasses, attributes, [
  ['no driver', { driverName: '' }, 'driverName: Required value'],
  [
    'an odd driver',
    { driverName: 'a/b/c' },
    "driverName: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  ],
  ['no parameters', { parameters: undefined }, 'parameters: Required value: must contain at least one key/value pair'],
  ['a parameter without a name', { parameters: { '': 'x' } }, 'parameters: Invalid value: "": field can not be empty.'],
]);

describeUpdateRefusals(
  'updates of classes of attributes',
  volumeattributesclasses,
  attributes,
  [
    ['another driver', { driverName: 'other.example.com' }, 'driverName: Forbidden: updates to driverName are forbidden.'],
    ['other parameters', { parameters: { a: 'c' } }, 'parameters: Forbidden: updates to parameters are forbidden.'],
  ],
  '',
  { notAsked: 'a finalizer keeps what is deleted' },
);
