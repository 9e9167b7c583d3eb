// Definitions whose schema has a random rule and a default to judge by it: the server compiles the rule, estimates its cost and runs it, all before it answers
// one dry run. Rules are drawn by type, so that most of them compile; one call in ten gets an argument of another type, and what is wrong must read the same.
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** How many rules one scenario sends. */
const turns = 12;

const text = { type: 'string', maxLength: 40 };
const number = { type: 'integer' };
const listOf = (items) => ({ type: 'array', maxItems: 9, items });
/** What a rule may be about, by the type that `self` has then. */
const subjects = [
  { is: 'text', schema: text, values: ['', 'abc', 'a,b', ' X ', '12', '1.5', 'true', '10.0.0.0/8', '::1', '1.2.3', '100m', 'https://h:80/p?q=1', 'ü😀'] },
  { is: 'int', schema: number, values: [0, 1, -5, 2147483648] },
  { is: 'double', schema: { type: 'number' }, values: [0.5, -1.5, 3] },
  { is: 'bool', schema: { type: 'boolean' }, values: [true, false] },
  { is: 'texts', schema: listOf(text), values: [[], ['a'], ['b', 'a', 'b']] },
  { is: 'ints', schema: listOf(number), values: [[], [1], [3, 1, 2]] },
  { is: 'map', schema: { type: 'object', maxProperties: 9, additionalProperties: text }, values: [{}, { a: '1' }, { a: 'x', 'b-c': 'y' }] },
  { is: 'time', schema: { type: 'string', format: 'date-time' }, values: ['2020-06-15T12:30:00Z', '2020-06-15T12:30:00+02:00'] },
  { is: 'span', schema: { type: 'string', format: 'duration' }, values: ['1h', '-5m'] },
  { is: 'any', schema: { 'x-kubernetes-int-or-string': true }, values: [1, '1', '50%'] },
];

/** type → expressions of it: first constants, then forms whose braces take expressions of the type they name. */
const expressions = {
  text: [
    ["''", "'a'", "'a,b'", "'12'", "'('", "'ü'", "'1.2.3.4'"],
    [
      '{text} + {text}',
      '{text}.lowerAscii()',
      '{text}.upperAscii()',
      '{text}.trim()',
      '{text}.replace({text}, {text})',
      '{text}.replace({text}, {text}, {int})',
    ],
    ['{text}.substring({int})', '{text}.substring({int}, {int})', '{text}.charAt({int})', '{text}.find({text})', '{texts}.join({text})', '{texts}[{int}]'],
    ['string({int})', 'string({double})', 'string({bool})', 'string({time})', 'string({span})', 'string(ip({text}))', 'string(quantity({text}))'],
    ["'%s'.format([{any}])", "'%d %x'.format([{int}, {int}])", "'%.2f %e'.format([{double}, {double}])", '({bool} ? {text} : {text})', '{texts}.max()'],
    ['{map}.a', "{map}['b-c']", '{map}.?a.orValue({text})', 'url({text}).getHost()', 'url({text}).getEscapedPath()', 'dyn({text})', '{texts}.min()'],
  ],
  int: [
    ['0', '1', '-1', '7', '9223372036854775807'],
    ['{int} + {int}', '{int} - {int}', '{int} * {int}', '{int} / {int}', '{int} % {int}', '-({int})', 'int({text})', 'int({double})', 'size({text})'],
    [
      '{text}.indexOf({text})',
      '{text}.lastIndexOf({text})',
      '{text}.indexOf({text}, {int})',
      '{ints}.sum()',
      '{ints}.min()',
      '{ints}[{int}]',
      '{texts}.size()',
    ],
    [
      '{texts}.indexOf({text})',
      'quantity({text}).asInteger()',
      'quantity({text}).compareTo(quantity({text}))',
      'semver({text}).major()',
      'ip({text}).family()',
    ],
    [
      'cidr({text}).prefixLength()',
      '{time}.getHours()',
      "{time}.getFullYear('+02:00')",
      '{span}.getSeconds()',
      '{map}.size()',
      'int({time})',
      '({bool} ? {int} : {int})',
    ],
  ],
  double: [
    ['0.5', '-2.0', '1e10'],
    ['{double} + {double}', '{double} / {double}', 'double({int})', 'double({text})', 'quantity({text}).asApproximateFloat()'],
  ],
  bool: [
    ['true', 'false'],
    ['{text} == {text}', '{int} < {int}', '{double} >= {double}', '{int} == {double}', '{bool} && {bool}', '{bool} || {bool}', '!({bool})', 'bool({text})'],
    ['{text}.startsWith({text})', '{text}.endsWith({text})', '{text}.contains({text})', '{text}.matches({text})', '{text} in {texts}', '{int} in {ints}'],
    [
      '{texts}.all(x, x == {text})',
      '{texts}.exists(x, x.size() > {int})',
      '{ints}.exists_one(x, x > {int})',
      '{ints}.all(i, x, i < x)',
      '{map}.all(k, k == {text})',
    ],
    [
      'isIP({text})',
      'isCIDR({text})',
      'isURL({text})',
      'isQuantity({text})',
      'isSemver({text})',
      'ip.isCanonical({text})',
      '{texts}.isSorted()',
      '{texts} == {texts}',
    ],
    [
      'sets.contains({texts}, {texts})',
      'sets.intersects({ints}, {ints})',
      '{time} < {time}',
      '{span} <= {span}',
      "'a' in {map}",
      'has({map}.a)',
      'dyn({any}) == {any}',
    ],
    [
      'quantity({text}).isLessThan(quantity({text}))',
      'cidr({text}).containsIP({text})',
      'type({any}) == string',
      'optional.of({any}).hasValue()',
      '{map} == {map}',
    ],
    ['format.dns1123Label().validate({text}).hasValue()', 'ip({text}).isLoopback()', 'semver({text}).isGreaterThan(semver({text}))'],
  ],
  texts: [
    ['[]', "['a']", "['b', 'a']"],
    [
      '{text}.split({text})',
      '{text}.split({text}, {int})',
      '{text}.findAll({text})',
      '{texts} + {texts}',
      '{texts}.filter(x, x != {text})',
      '{ints}.map(x, string(x))',
    ],
    ['{texts}.slice({int}, {int})', '{texts}.distinct()', '{texts}.sort()', '{map}.map(k, k)', '{map}.transformList(k, v, k + v)', '[{text}, {text}]'],
  ],
  ints: [
    ['[]', '[1]', '[2, 1]'],
    ['{ints} + {ints}', '{texts}.map(x, x.size())', '{ints}.filter(x, x > {int})', '{ints}.sort()', '[{int}, {int}]', '{ints}.transformList(i, x, i * x)'],
  ],
  map: [
    ['{}', "{'a': '1'}"],
    ['{map}.transformMap(k, v, v + {text})', '{texts}.transformMap(i, x, x)', '({bool} ? {map} : {map})'],
  ],
  time: [
    ['timestamp(0)', "timestamp('2020-01-01T00:00:00Z')"],
    ['{time} + {span}', '{time} - {span}', 'timestamp({text})', 'timestamp({int})'],
  ],
  span: [
    ["duration('1h')", "duration('-90s')"],
    ['{span} + {span}', '{time} - {time}', 'duration({text})'],
  ],
  any: [
    ['null', "b'x'", '2u', 'optional.none()'],
    ['{text}', '{int}', '{double}', '{bool}', '{texts}', '{map}', '{time}', '{span}', 'quantity({text})', '[{any}]'],
  ],
};
const types = Object.keys(expressions);

export function ruleScenarios({ count, first, random }) {
  const oneOf = (list) => list[Math.floor(random() * list.length)];
  return Array.from({ length: count }, (_, index) => ({
    id: `random/rules/${first}-${index}`,
    steps: Array.from({ length: turns }, () => step(oneOf, random)),
  }));
}

function step(oneOf, random) {
  const { is, schema, values } = oneOf(subjects);
  const rule = expression('bool', 3, { self: is, oneOf, random });
  const v = { ...schema, default: oneOf(values), 'x-kubernetes-validations': [{ rule }] };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { v } } } };
  const group = 'g$UNIQUE.oracle.test';
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const spec = { group, scope: 'Cluster', names: { plural: 'widgets', kind: 'Widget' }, versions };
  const body = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `widgets.${group}` }, spec };
  return { do: 'POST', path: `${definitions}?dryRun=All`, body, what: rule, keep: ['status'] };
}

function expression(type, depth, draw) {
  const { self, oneOf, random } = draw;
  if (type === self && random() < (depth < 3 ? 0.5 : 0)) return 'self';
  const [constants, ...forms] = expressions[type];
  if (depth === 0) return oneOf(constants);
  return oneOf(oneOf(forms)).replace(/\{(\w+)\}/g, (_, wanted) => expression(random() < 0.03 ? oneOf(types) : wanted, depth - 1, draw));
}
