import { volumeattributesclasses } from '#kinds/storage/v1/volume-attributes-class-resource.ts';
import { notKey } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'gold' }, driverName: 'csi.example.com', parameters: { iops: '500' } };

describeRefusals('volume attributes classes', volumeattributesclasses, valid, [
  ['no driver', { driverName: '' }, 'driverName: Required value'],
  ['a driver that is no name', { driverName: 'a b' }, `driverName: ${notKey('a b')}`],
  ['no parameters', { parameters: {} }, 'parameters: Required value: must contain at least one key/value pair'],
  ['a parameter without name', { parameters: { '': 'x' } }, 'parameters: Invalid value: "": field can not be empty.'],
]);

describeUpdateRefusals('updates of volume attributes classes', volumeattributesclasses, valid, [
  ['another driver', { driverName: 'other' }, 'driverName: Forbidden: updates to driverName are forbidden.'],
  ['other parameters', { 'parameters.iops': '1' }, 'parameters: Forbidden: updates to parameters are forbidden.'],
]);
