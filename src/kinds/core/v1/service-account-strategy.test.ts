import { serviceaccounts } from '#kinds/core/v1/service-account-resource.ts';
import { notKey, notSubdomain } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'runner' }, secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }], automountServiceAccountToken: false };

describeRefusals('service accounts', serviceaccounts, valid, [
  ['a name that is none', { 'metadata.name': 'A' }, `metadata.name: ${notSubdomain('A')}`],
  ['a label that is none', { 'metadata.labels': { 'a b': 'c' } }, `metadata.labels: ${notKey('a b')}`],
]);

describeUpdateRefusals('updates of service accounts', serviceaccounts, valid, [
  ['a label that is none', { 'metadata.labels': { 'a b': 'c' } }, `metadata.labels: ${notKey('a b')}`],
]);
