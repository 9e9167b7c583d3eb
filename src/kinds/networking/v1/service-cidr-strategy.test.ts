import { servicecidrs } from '#kinds/networking/v1/service-cidr-resource.ts';
import { notCidr } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'more' }, spec: { cidrs: ['10.1.0.0/24', 'fd00::/112'] } };
const families = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

describeRefusals('service networks', servicecidrs, valid, [
  ['none', { 'spec.cidrs': [] }, 'spec.cidrs: Required value: at least one CIDR required'],
  [
    'three',
    { 'spec.cidrs': ['10.1.0.0/24', 'fd00::/112', '10.2.0.0/24'] },
    'spec.cidrs: Invalid value: {"CIDRs":["10.1.0.0/24","fd00::/112","10.2.0.0/24"]}: may only hold up to 2 values',
  ],
  ['one that is none', { 'spec.cidrs': ['x'] }, `spec.cidrs[0]: ${notCidr('x')}`],
  ['two of a family', { 'spec.cidrs': ['10.1.0.0/24', '10.2.0.0/24'] }, `spec.cidrs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: ${families}`],
  ['another spelling', { 'spec.cidrs': ['FD00::/112'] }, 'spec.cidrs[0]: Invalid value: "FD00::/112": must be in canonical form ("fd00::/112")'],
]);

describeUpdateRefusals('updates of service networks', servicecidrs, { metadata: { name: 'more' }, spec: { cidrs: ['10.1.0.0/24'] } }, [
  ['nothing when another family comes', { 'spec.cidrs': ['10.1.0.0/24', 'fd00::/112'] }],
  ['another network', { 'spec.cidrs': ['10.2.0.0/24'] }, 'spec.cidrs[0]: Invalid value: "10.2.0.0/24": field is immutable'],
  ['none', { 'spec.cidrs': [] }, 'spec.cidrs: Invalid value: []: field is immutable'],
]);
