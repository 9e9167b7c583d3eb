// Bodies as large as the server takes for what administrators may add to it: custom kinds and their schemas, CEL, webhooks, policies.
// `prepared` are made by the administrator before the first case; the cases are sent by alice unless they name another token.
import { many, mostElements, patch, post, texts } from './large-body.mjs';

const group = 'freeze.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const registration = '/apis/admissionregistration.k8s.io/v1';
const widgets = (version = 'v1') => `/apis/${group}/${version}/namespaces/team/widgets`;
const label = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';

const text = (more = {}) => ({ type: 'string', ...more });
const list = (items, more = {}) => ({ type: 'array', items, ...more });
const object = (properties, more = {}) => ({ type: 'object', properties, ...more });
const rule = (rule, more = {}) => ({ 'x-kubernetes-validations': [{ rule, ...more }] });

const widget = object({
  spec: object({
    text: text({ pattern: label }),
    texts: list(text({ pattern: label })),
    exploding: text({ pattern: '^[ab]*a[ab]{300}c$' }),
    numbers: list({ type: 'integer', minimum: 0, multipleOf: 3 }),
    dates: list(text({ format: 'date-time' })),
    networks: list(text({ format: 'cidr' })),
    chosen: list(text({ enum: Array.from({ length: 200 }, (_, i) => `choice-${i}`) })),
    map: { type: 'object', additionalProperties: text({ maxLength: 20 }) },
    named: list(
      object({ name: text(), value: text({ default: 'x' }), also: object({ a: text({ default: 'y' }), b: text() }, { default: {} }) }, { required: ['name'] }),
      {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    ),
    set: list(text(), { 'x-kubernetes-list-type': 'set' }),
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    atomic: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' },
    closed: object({ a: text() }),
    embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ports: list({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    ways: list({
      ...object({ a: text(), b: text(), c: text() }),
      oneOf: [{ required: ['a'] }, { required: ['b'] }, { required: ['c'] }],
      not: { required: ['a', 'b'] },
    }),
    matched: text({ maxLength: 3_000_000, ...rule(`!self.matches('${label}x')`) }),
    found: text({ maxLength: 3_000_000, ...rule("self.find('[a-z]+[0-9]$') == ''") }),
    replaced: text({ maxLength: 3_000_000, ...rule("size(self.replace('a', 'bbbbbbbb')) >= 0") }),
    split: text({ maxLength: 3_000_000, ...rule("size(self.split('')) >= 0") }),
    folded: list(text({ maxLength: 40 }), { maxItems: 300, ...rule('self.all(a, self.exists_one(b, a == b))') }),
    messages: list(text({ maxLength: 40, ...rule('false', { messageExpression: "'not ' + self" }) }), { maxItems: 100_000 }),
  }),
  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
});

function definition(plural, versions, more = {}) {
  const kind = plural[0].toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, singular: kind.toLowerCase(), kind }, versions, ...more },
  };
}

function version(name, schema, more = {}) {
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: schema }, ...more };
}

const columns = [
  { name: 'Text', type: 'string', jsonPath: '.spec.text' },
  { name: 'All', type: 'string', jsonPath: '.spec.texts[*]' },
  { name: 'Deep', type: 'string', jsonPath: '..value' },
];

const more = { additionalPrinterColumns: columns, subresources: { status: {} } };

/** Each: where the administrator posts it. A definition is waited for. */
export const prepared = [
  [definitions, definition('widgets', [version('v1', widget, more), version('v2', widget, more)])],
  [widgets(), { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'target' }, spec: {} }],
];

const create = (spec, more = '', query = '?dryRun=All', v = 'v1') =>
  post(`${widgets(v)}${query}`, `{"apiVersion":"${group}/${v}","kind":"Widget","metadata":{"name":"w"${more}},"spec":{${spec}}}`);
const change = (kind, spec, query = '?dryRun=All') => patch(`${widgets()}/target${query}`, kind, `{"spec":{${spec}}}`);
const apply = (spec, query = 'fieldManager=m&force=true') => ({
  method: 'PATCH',
  path: `${widgets()}/applied?${query}`,
  type: 'application/apply-patch+yaml',
  body: `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"applied"},"spec":{${spec}}}`,
});
const asAdmin = (request) => ({ ...request, token: 'admin-token' });
const defined = (name, properties, more = '') =>
  asAdmin(
    post(
      `${definitions}?dryRun=All`,
      `{"metadata":{"name":"${name}s.${group}"},"spec":{"group":"${group}","scope":"Namespaced","names":{"plural":"${name}s","singular":"${name}","kind":"${name[0].toUpperCase()}${name.slice(1)}"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"${properties}}}}}${more}}]}}`,
    ),
  );
const policy = (spec) => asAdmin(post(`${registration}/validatingadmissionpolicies?dryRun=All`, `{"metadata":{"name":"p"},"spec":{${spec}}}`));
const matchAll = '"matchConstraints":{"resourceRules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["*"],"resources":["*"]}]}';
const long = (letters, length = 2_900_000) => letters.repeat(length / letters.length);
const small = '{"name":"n';

export const customCases = {
  'custom: a text of 2,900,000 characters under a pattern': () => create(`"text":"${long('a')}_"`),
  'custom: a text of many dots under a pattern': () => create(`"text":"${long('a-')}_"`),
  'custom: 2,900,000 characters under a pattern of many states': () =>
    create(`"exploding":"${Array.from({ length: 1_450_000 }, (_, i) => 'ab'[(i * 2654435761) >>> 31] + 'b').join('')}c"`),
  'custom: 97,000 texts under a pattern': () => create(`"texts":${texts(97_000, (i) => `t${i}`)}`),
  'custom: 97,000 texts that break their pattern': () => create(`"texts":${texts(97_000, (i) => `T${i}`)}`),
  'custom: 97,000 numbers that are too small': () => create(`"numbers":[${many(97_000, (i) => -i)}]`),
  'custom: 97,000 dates': () => create(`"dates":${texts(97_000, () => '2026-11-17T05:00:00Z')}`),
  'custom: a date of 2,900,000 characters': () => create(`"dates":["${long('2')}"]`),
  'custom: 97,000 networks': () => create(`"networks":${texts(97_000, (i) => `10.0.${i & 255}.0/24`)}`),
  'custom: a network of 2,900,000 characters': () => create(`"networks":["${long('1.')}"]`),
  'custom: 97,000 values outside an enum': () => create(`"chosen":${texts(97_000, (i) => `other-${i}`)}`),
  'custom: a map of 97,000 long values': () => create(`"map":{${many(97_000, (i) => `"${i}":"0123456789012345678901"`)}}`),
  'custom: a map of 97,000 values': () => create(`"map":{${many(97_000, (i) => `"k${i}":"v"`)}}`),
  'custom: 60,000 named items with defaults': () => create(`"named":[${many(60_000, (i) => `${small}${i}"}`)}]`),
  'custom: 60,000 items of one name': () => create(`"named":[${many(60_000, () => '{"name":"n"}')}]`),
  'custom: items without their key': () => create(`"named":[${many(60_000, () => '{"value":"n"}')}]`),
  'custom: a set of 97,000 texts': () => create(`"set":${texts(97_000, (i) => `t${i}`)}`),
  'custom: a set of one text 97,000 times': () => create(`"set":${texts(97_000, () => 't')}`),
  'custom: 97,000 unknown fields': () => create(many(97_000, (i) => `"k${i}":1`)),
  'custom: 97,000 unknown fields, strict': () =>
    create(
      many(97_000, (i) => `"k${i}":1`),
      '',
      '?dryRun=All&fieldValidation=Strict',
    ),
  'custom: 97,000 fields that are cut off below': () => create(`"closed":{${many(97_000, (i) => `"k${i}":1`)}}`),
  'custom: 97,000 fields of no schema': () => create(`"any":{${many(97_000, (i) => `"k${i}":[]`)}}`),
  'custom: no schema, 9,000 deep': () => create(`"any":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`),
  'custom: an embedded object with 97,000 labels': () =>
    create(`"embedded":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","labels":{${many(96_000, (i) => `"k${i}":"v"`)}}}}`),
  'custom: 97,000 ports': () => create(`"ports":[${many(97_000, (i) => (i % 2 ? i : `"p${i}"`))}]`),
  'custom: 40,000 items with one of three ways': () => create(`"ways":[${many(40_000, () => '{"a":"x","b":"y"}')}]`),
  'custom: a rule with a regular expression over 2,900,000 characters': () => create(`"matched":"${long('a')}_"`),
  'custom: a rule that finds in 2,900,000 characters': () => create(`"found":"${long('a1')}_"`),
  'custom: a rule that replaces 2,900,000 characters': () => create(`"replaced":"${long('a')}"`),
  'custom: a rule that splits 2,900,000 characters': () => create(`"split":"${long('a')}"`),
  'custom: a rule of nested loops over 300 texts': () => create(`"folded":${texts(300, (i) => `t${i}`)}`),
  'custom: 97,000 rules with messages': () => create(`"messages":${texts(97_000, (i) => `t${i}`)}`),
  'custom: owner references': () => create('', `,"ownerReferences":[${many(30_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${i}"}`)}]`),
  'custom: 97,000 labels': () => create('', `,"labels":{${many(97_000, (i) => `"k${i}":"v"`)}}`),
  'custom: the other version': () => create(`"named":[${many(60_000, (i) => `${small}${i}"}`)}]`, '', '?dryRun=All', 'v2'),
  'custom: YAML': () =>
    post(
      `${widgets()}?dryRun=All`,
      `apiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n  map:\n${many(90_000, (i) => `    k${i}: v`, '\n')}\n`,
      'application/yaml',
    ),
  'custom: a merge patch of 97,000 values': () => change('merge', `"map":{${many(97_000, (i) => `"k${i}":"v"`)}}`),
  'custom: a merge patch of 60,000 named items': () => change('merge', `"named":[${many(60_000, (i) => `${small}${i}"}`)}]`),
  'custom: a merge patch of 97,000 nulls': () => change('merge', `"map":{${many(97_000, (i) => `"k${i}":null`)}}`),
  'custom: a JSON patch of 9,900 values': () =>
    patch(
      `${widgets()}/target?dryRun=All`,
      'json',
      `[{"op":"add","path":"/spec/set","value":[]},${many(9_900, (i) => `{"op":"add","path":"/spec/set/0","value":"t${i}"}`)}]`,
    ),
  'custom: a JSON patch of one value of 97,000 items': () =>
    patch(`${widgets()}/target?dryRun=All`, 'json', `[{"op":"add","path":"/spec/set","value":${texts(96_000, (i) => `t${i}`)}}]`),
  'custom: an apply of 60,000 named items': () => apply(`"named":[${many(60_000, (i) => `${small}${i}"}`)}]`),
  'custom: an apply of a set of 97,000': () => apply(`"set":${texts(96_000, (i) => `t${i}`)}`),
  'custom: an apply of 97,000 values': () => apply(`"map":{${many(96_000, (i) => `"k${i}":"v"`)}}`),
  'custom: an apply of 97,000 fields of no schema': () => apply(`"any":{${many(96_000, (i) => `"k${i}":"v"`)}}`),
  'custom: an apply of an atomic value of 97,000 fields': () => apply(`"atomic":{${many(96_000, (i) => `"k${i}":"v"`)}}`),

  'a definition of 97,000 properties': () => defined('large', `,"properties":{${many(97_000, (i) => `"p${i}":{"type":"string"}`)}}`),
  'a definition of 30,000 properties with defaults': () =>
    defined('large', `,"properties":{${many(97_000, (i) => `"p${i}":{"type":"string","default":"x","pattern":"^a*$"}`)}}`),
  'a definition of one enum of 97,000': () => defined('large', `,"properties":{"p":{"type":"string","enum":${texts(96_000, (i) => `e${i}`)}}}`),
  'a definition that is 2,000 deep': () =>
    defined('large', `,"properties":{"a":${'{"type":"object","properties":{"a":'.repeat(2_000)}{"type":"string"}${'}}'.repeat(2_000)}}`),
  'a definition of 20,000 alternatives': () => defined('large', `,"anyOf":[${many(40_000, (i) => `{"required":["p${i}"]}`)}]`),
  'a definition of 10,000 rules': () =>
    defined('large', `,"properties":{"p":{"type":"string","maxLength":5,"x-kubernetes-validations":[${many(10_000, (i) => `{"rule":"self != 'x${i}'"}`)}]}}`),
  'a definition of 3,000 properties with rules': () =>
    defined(
      'large',
      `,"properties":{${many(10_000, (i) => `"p${i}":{"type":"string","maxLength":5,"x-kubernetes-validations":[{"rule":"self.matches('^a${i}*$')"}]}`)}}`,
    ),
  'a definition whose rule is 2,900,000 characters long': () =>
    defined('large', `,"properties":{"p":{"type":"string","maxLength":5,"x-kubernetes-validations":[{"rule":"${long("self=='a'||", 2_900_000)}true"}]}}`),
  'a definition whose rule is 500,000 parentheses deep': () =>
    defined(
      'large',
      `,"properties":{"p":{"type":"string","maxLength":5,"x-kubernetes-validations":[{"rule":"${'('.repeat(500_000)}true${')'.repeat(500_000)}"}]}}`,
    ),
  'a definition whose rule is a list of 90,000': () =>
    defined('large', `,"properties":{"p":{"type":"integer","x-kubernetes-validations":[{"rule":"self in [${crowdOf(400_000, (i) => i)}]"}]}}`),
  'a definition whose pattern has 1,000,000 states': () => defined('large', `,"properties":{"p":{"type":"string","pattern":"${'a{1000}'.repeat(1_000)}"}}`),
  'a definition whose rule has a pattern of 1,000,000 states': () =>
    defined('large', `,"properties":{"p":{"type":"string","maxLength":5,"x-kubernetes-validations":[{"rule":"self.matches('${'a{1000}'.repeat(1_000)}')"}]}}`),
  'a definition of 300 patterns of many states': () =>
    defined('large', `,"properties":{${many(300, (i) => `"p${i}":{"type":"string","pattern":"${i}${'a{1000}'.repeat(10)}"}`)}}`),
  'a definition of 20,000 columns': () =>
    defined('large', '', `,"additionalPrinterColumns":[${many(20_000, (i) => `{"name":"c${i}","type":"string","jsonPath":".spec.p${i}"}`)}]`),
  'a definition of a pattern of 2,000,000 parentheses': () =>
    defined('large', `,"properties":{"p":{"type":"string","pattern":"${'('.repeat(1_000_000)}${')'.repeat(1_000_000)}"}}`),
  'a definition of 5,000 versions': () =>
    asAdmin(
      post(
        `${definitions}?dryRun=All`,
        `{"metadata":{"name":"larges.${group}"},"spec":{"group":"${group}","scope":"Namespaced","names":{"plural":"larges","kind":"Large"},"versions":[${many(10_000, (i) => `{"name":"v${i}","served":true,"storage":${i === 0},"schema":{"openAPIV3Schema":{"type":"object"}}}`)}]}}`,
      ),
    ),
  'a definition of 97,000 short names': () =>
    asAdmin(
      post(
        `${definitions}?dryRun=All`,
        `{"metadata":{"name":"larges.${group}"},"spec":{"group":"${group}","scope":"Namespaced","names":{"plural":"larges","kind":"Large","shortNames":${texts(96_000, (i) => `s${i}`)}},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`,
      ),
    ),
  'a definition with a default of 90,000 items': () =>
    defined(
      'large',
      `,"properties":{"p":{"type":"array","items":{"type":"string","pattern":"${label.replaceAll('\\', '\\\\')}"},"default":${texts(90_000, (i) => `t${i}`)}}}`,
    ),

  'a policy of 10,000 validations': () => policy(`${matchAll},"validations":[${many(30_000, (i) => `{"expression":"object.metadata.name != 'x${i}'"}`)}]`),
  'a policy of 10,000 variables': () =>
    policy(
      `${matchAll},"validations":[{"expression":"true"}],"variables":[${many(30_000, (i) => `{"name":"v${i}","expression":"${i === 0 ? 1 : `variables.v${i - 1} + 1`}"}`)}]`,
    ),
  'a policy whose expression is 2,900,000 characters long': () => policy(`${matchAll},"validations":[{"expression":"${long("'a'=='a'||", 2_900_000)}true"}]`),
  'a policy with 10,000 regular expressions': () =>
    policy(`${matchAll},"validations":[${many(20_000, (i) => `{"expression":"object.metadata.name.matches('^a${i}*(b|c)+$')"}`)}]`),
  'a policy of 20,000 match conditions': () =>
    policy(`${matchAll},"validations":[{"expression":"true"}],"matchConditions":[${many(30_000, (i) => `{"name":"c${i}","expression":"true"}`)}]`),
  'a policy of 30,000 rules': () =>
    policy(
      `"matchConstraints":{"resourceRules":[${many(20_000, (i) => `{"apiGroups":["g${i}"],"apiVersions":["*"],"operations":["*"],"resources":["*"]}`)}]},"validations":[{"expression":"true"}]`,
    ),
  'a webhook configuration of 10,000 webhooks': () =>
    asAdmin(
      post(
        `${registration}/validatingwebhookconfigurations?dryRun=All`,
        `{"metadata":{"name":"w"},"webhooks":[${many(10_000, (i) => `{"name":"w${i}.example.com","clientConfig":{"url":"https://127.0.0.1:1/"},"sideEffects":"None","admissionReviewVersions":["v1"],"matchConditions":[{"name":"a","expression":"true"}]}`)}]}`,
      ),
    ),
  'a webhook configuration with a bundle of 2,900,000 characters': () =>
    asAdmin(
      post(
        `${registration}/validatingwebhookconfigurations?dryRun=All`,
        `{"metadata":{"name":"w"},"webhooks":[{"name":"w.example.com","clientConfig":{"url":"https://127.0.0.1:1/","caBundle":"${Buffer.from('-----BEGIN CERTIFICATE-----\n'.repeat(75_000)).toString('base64')}"},"sideEffects":"None","admissionReviewVersions":["v1"]}]}`,
      ),
    ),
  'resource claims with 1,000 selectors': () =>
    post(
      '/apis/resource.k8s.io/v1/namespaces/team/resourceclaims?dryRun=All',
      `{"metadata":{"name":"r"},"spec":{"devices":{"requests":[${many(32, (i) => `{"name":"r${i}","exactly":{"deviceClassName":"c","selectors":[${many(32, (j) => `{"cel":{"expression":"device.driver.matches('^${i}a${j}*${'(b|c)+'.repeat(450)}$')"}}`)}]}}`)}]}}}`,
    ),
  'resource claims with 1,000 selectors of many states': () =>
    post(
      '/apis/resource.k8s.io/v1/namespaces/team/resourceclaims?dryRun=All',
      `{"metadata":{"name":"r"},"spec":{"devices":{"requests":[${many(32, (i) => `{"name":"r${i}","exactly":{"deviceClassName":"c","selectors":[${many(32, (j) => `{"cel":{"expression":"device.driver.matches('^${i}a${j}*${'a{1000}'.repeat(350)}$')"}}`)}]}}`)}]}}}`,
    ),
  'an API service with a bundle of 2,900,000 characters': () =>
    asAdmin(
      post(
        '/apis/apiregistration.k8s.io/v1/apiservices?dryRun=All',
        `{"metadata":{"name":"v1.x.example.com"},"spec":{"group":"x.example.com","version":"v1","groupPriorityMinimum":1,"versionPriority":1,"service":{"name":"s","namespace":"team"},"caBundle":"${Buffer.from('-----BEGIN CERTIFICATE-----\n'.repeat(75_000)).toString('base64')}"}}`,
      ),
    ),
};

function crowdOf(count, of) {
  return Array.from({ length: Math.min(count, 4 * mostElements) }, (_, i) => of(i)).join(',');
}
