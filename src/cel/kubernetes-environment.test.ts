import { expect, test } from 'vitest';
import { perCallLimit } from '#cel/cost/limits.ts';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { jsonPatchLibrary } from '#cel/library/json-patch.ts';
import { formatText } from '#cel/library/string-format.ts';
import { intType, listType } from '#cel/type.ts';
import { ArrayList, type CelList, type CelValue, Optional, typeNameOf } from '#cel/value.ts';

const environment = kubernetesEnvironment('stored', { libraries: [jsonPatchLibrary] });

// Every answer was given by k8s.io/apiserver v0.36.4 with cel-go v0.26.0 to the same expression.
const answers: readonly [expression: string, answer: string][] = [
  [`'a'.find('a' + '(')`, 'error: Illegal regex: error parsing regexp: missing closing ): `a(`'],
  [`'a'.find('a' + r'\\')`, 'error: Illegal regex: error parsing regexp: trailing backslash at end of expression: ``'],
  [`'baab'.findAll('a*')`, 'list:["", "aa", ""]'],
  [`'baab'.findAll('a*', 2)`, 'list:["", "aa"]'],
  [`'baab'.findAll('a*', 0)`, 'list:[]'],
  [`'abc 123'.find('[0-9]+')`, 'string:123'],
  [`'%.3f'.format([1234567.8912])`, 'string:1,234,567.891'],
  [`'%e'.format([1052.032911275])`, 'string:1.052033×10⁰³'],
  [`'%x %X %x %x %X'.format([-255, 255u, 'hé', b'\\xff', 'zz'])`, 'string:-ff FF 68c3a9 ff 7A7A'],
  [`'%s'.format([{'b': 1, 'a': 'x"y'}])`, 'string:{"a":"x\\"y", "b":1}'],
  [`'%s'.format([[double('nan'), double('inf')]])`, 'string:["NaN", "+Inf"]'],
  [`'%s %s'.format([duration('1h'), timestamp('2020-01-01T00:00:00Z')])`, 'string:3600s 2020-01-01T00:00:00Z'],
  [`'%s'.format([null])`, 'string:null'],
  [`'%s'.format([int])`, 'string:int'],
  [`'%%'.format([])`, 'string:%'],
  [`'%d'.format([dyn('a')])`, 'error: error during formatting: decimal clause can only be used on integers, was given string'],
  [`'%s %s'.format(dyn([1]))`, 'error: index 1 out of range'],
  [`'%s %d'.format(['a', 1])`, 'string:a 1'],
  [`'tacocat'.indexOf('')`, 'int:0'],
  [`'tacocat'.indexOf('', -5)`, 'int:-5'],
  [`'tacocat'.indexOf('ac', 9)`, 'int:-1'],
  [`'tacocat'.indexOf('ac', -1)`, 'error: index out of range: -1'],
  [`'tacocat'.lastIndexOf('')`, 'int:7'],
  [`'tacocat'.lastIndexOf('', 100)`, 'int:100'],
  [`'tacocat'.lastIndexOf('at', 5)`, 'int:5'],
  [`'tacocat'.lastIndexOf('at', -1)`, 'error: index out of range: -1'],
  [`'tacocat'.lastIndexOf('at', 7)`, 'int:-1'],
  [`''.lastIndexOf('a')`, 'int:-1'],
  [`'a😀b'.charAt(1)`, 'string:😀'],
  [`'a😀b'.charAt(3)`, 'string:'],
  [`'a😀b'.charAt(4)`, 'error: index out of range: 4'],
  [`'a😀b'.substring(1,2)`, 'string:😀'],
  [`'a😀b'.indexOf('b')`, 'int:2'],
  [`'a😀b'.lastIndexOf('b')`, 'int:2'],
  [`'abc'.substring(2,1)`, 'error: invalid substring range. start: 2, end: 1'],
  [`'abc'.substring(4)`, 'error: index out of range: 4'],
  [`'abc'.substring(1,9)`, 'error: index out of range: 9'],
  [`'abc'.substring(-1)`, 'error: index out of range: -1'],
  [`'abc'.split('')`, 'list:["a", "b", "c"]'],
  [`'abc'.split('', 2)`, 'list:["a", "bc"]'],
  [`'a,b,c'.split(',', 0)`, 'list:[]'],
  [`'a,b,c'.split(',', 2)`, 'list:["a", "b,c"]'],
  [`'a,b,c'.split(',', -3)`, 'list:["a", "b", "c"]'],
  [`''.split('')`, 'list:[]'],
  [`''.split(',')`, 'list:[""]'],
  [`'abc'.replace('', '-')`, 'string:-a-b-c-'],
  [`'abc'.replace('', '-', 2)`, 'string:-a-bc'],
  [`'a😀b'.replace('', '-')`, 'string:-a-😀-b-'],
  [`'abc'.replace('b', 'x', 0)`, 'string:abc'],
  [`'abcb'.replace('b', 'x', 1)`, 'string:axcb'],
  [`'abcb'.replace('b', '$&')`, 'string:a$&c$&'],
  [`' \\u0085\\u00a0x\\ufeff '.trim() + '|'`, 'string:x\ufeff|'],
  [`['a','b'].join()`, 'string:ab'],
  [`['a','b'].join('-')`, 'string:a-b'],
  [`dyn([[1]]).join('-')`, 'error: no such overload: join(list, string)'],
  [`strings.quote('a"b\\n\\u0001é\\\\')`, 'string:"a\\"b\\n\u0001é\\\\"'],
  ['[1,2,3].isSorted()', 'bool:true'],
  ['[3,1,2].sum()', 'int:6'],
  ['[1.5,2.5].sum()', 'double:4'],
  [`duration([5][0])`, "error: type conversion error from 'int' to 'google.protobuf.Duration'"],
  [`[duration('1h'), duration('2m')].sum()`, 'google.protobuf.Duration:3720s'],
  ['[9223372036854775807, 1].sum()', 'error: integer overflow'],
  ['[].sum()', 'int:0'],
  ['[].min()', 'error: min called on empty list'],
  ['[1,2].max()', 'int:2'],
  [`['a','b'].max()`, 'string:b'],
  [`[b'a', b'b'].min()`, 'bytes:a'],
  ['[true,false].min()', 'bool:false'],
  ['[1,2,1].indexOf(1)', 'int:0'],
  ['[1,2,1].lastIndexOf(1)', 'int:2'],
  ['[1,2,1].lastIndexOf(4)', 'int:-1'],
  [`[double('nan'), 1.0].isSorted()`, 'bool:true'],
  ['[1, 2, 3].slice(1,2)', 'list:[2]'],
  ['[1, 2, 3].slice(2,1)', 'error: cannot slice(2, 1), start index must be less than or equal to end index'],
  ['[1, 2, 3].slice(-1,1)', 'error: cannot slice(-1, 1), negative indexes not supported'],
  ['[1, 2, 3].slice(0,9)', 'error: cannot slice(0, 9), list is length 3'],
  ['[[1],[2,3]].flatten()', 'list:[1, 2, 3]'],
  ['[[[1]],[[2],[3]]].flatten(2)', 'list:[1, 2, 3]'],
  ['[[[1]],[[2],[3]]].flatten(-2)', 'error: level must be non-negative'],
  ['dyn([1,2,3,4]).flatten()', 'list:[1, 2, 3, 4]'],
  ['dyn({}).flatten()', 'error: no such overload: map(dyn, dyn).flatten()'],
  ['dyn({}).flatten(0)', 'error: no such overload: map(dyn, dyn).flatten(int)'],
  [`dyn('x').sort()`, 'error: no such overload'],
  [`dyn('x').all(y, true)`, `error: got 'types.String', expected iterable type`],
  [`optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')) == optional.none()`, 'bool:true'],
  ['[3,1,2].sort()', 'list:[1, 2, 3]'],
  [`['b','a'].sort()`, 'list:["a", "b"]'],
  ['dyn([[1]]).sort()', 'error: list elements must be comparable'],
  [`[{'a':2},{'a':1}].sortBy(x, x.a)`, 'list:[{"a":1}, {"a":2}]'],
  ['lists.range(4)', 'list:[0, 1, 2, 3]'],
  ['lists.range(-1)', 'list:[]'],
  ['[1,2,3].reverse()', 'list:[3, 2, 1]'],
  ['[1,1,2].distinct()', 'list:[1, 2]'],
  ['sets.contains([1,2],[1])', 'bool:true'],
  ['sets.equivalent([1,2],[2,1,1])', 'bool:true'],
  ['sets.intersects([1],[2])', 'bool:false'],
  ['sets.intersects([],[])', 'bool:false'],
  [`jsonpatch.escapeKey('a/b~c')`, 'string:a~1b~0c'],
  [
    `format.dns1123Label().validate('my_name')`,
    `optional(list:["a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"])`,
  ],
  [`format.dns1123Label().validate('my-name')`, 'optional.none'],
  [`format.named('dns1123Label').value() == format.dns1123Label()`, 'bool:true'],
  [`format.named('xx')`, 'optional.none'],
  [`format.uri().validate('../x')`, 'optional(list:["parse \\"../x\\": invalid URI for request"])'],
  [`format.uuid().validate('x')`, 'optional(list:["does not match the UUID format"])'],
  [`format.byte().validate('')`, 'optional(list:["invalid base64"])'],
  [`format.date().validate('2021-02-30')`, 'optional(list:["invalid date"])'],
  [`format.datetime().validate('2021-01-01T00:00:00Z')`, 'optional.none'],
  [`format.datetime().validate('2021-01-01T24:00:00Z')`, 'optional(list:["invalid datetime"])'],
  [
    `format.qualifiedName().validate('a/b/c')`,
    `optional(list:["a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"])`,
  ],
  [
    `format.labelValue().validate('-')`,
    `optional(list:["a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"])`,
  ],
  [`format.dns1123LabelPrefix().validate('a-')`, 'optional.none'],
  [
    `format.dns1035Label().validate('1a')`,
    `optional(list:["a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"])`,
  ],
  [`url('https://a') == url('https://a/')`, 'bool:false'],
  [`url('https://a/b?c=d').getQuery()`, 'map:{"c":["d"]}'],
  [`isURL('../a')`, 'bool:false'],
  [`url('../a')`, 'error: URL parse error during conversion from string: parse "../a": invalid URI for request'],
  [`ip('1.2.3.4') == dyn('1.2.3.4')`, 'error: no such overload'],
  [`ip('1.2.3.4') == ip('1.2.3.4')`, 'bool:true'],
  [`ip('x')`, 'error: IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP'],
  [`ip.isCanonical('::1')`, 'bool:true'],
  [`ip.isCanonical('x')`, 'error: IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP'],
  [`cidr('10.0.0.0/8').containsIP('x')`, 'error: no such overload'],
  [`cidr('10.0.0.0/8').containsIP('10.1.2.3')`, 'bool:true'],
  [`cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))`, 'bool:true'],
  [`cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')`, 'bool:true'],
  [`cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16'))`, 'bool:true'],
  [
    `cidr('10.0.0.0/8').containsCIDR('x')`,
    `error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x"): no '/'`,
  ],
  [
    `cidr('x')`,
    `error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x"): no '/'`,
  ],
  [`string(cidr('10.0.0.1/8').masked())`, 'string:10.0.0.0/8'],
  [`string(ip('::1'))`, 'string:::1'],
  [`type(ip('1.2.3.4')) == net.IP`, 'bool:true'],
  [`type(cidr('1.2.3.4/8')) == net.CIDR`, 'bool:true'],
  [`type(url('https://a'))`, 'type:kubernetes.URL'],
  [`quantity('1000m').isInteger()`, 'bool:false'],
  [`quantity('0.5Gi').isInteger()`, 'bool:false'],
  [`quantity('0.7').asApproximateFloat()`, 'double:0.7000000000000001'],
  [`quantity('5e2').asInteger()`, 'int:500'],
  [`quantity('x')`, `error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`],
  [`isQuantity('x')`, 'bool:false'],
  [`quantity('500m').add(quantity('500m')).isInteger()`, 'bool:false'],
  [`quantity('0m').add(quantity('1')).isInteger()`, 'bool:true'],
  [`quantity('1').add(quantity('0m')).isInteger()`, 'bool:true'],
  [`quantity('1').add(1)==quantity('2')`, 'bool:true'],
  [`quantity('1').add(-3).asInteger()`, 'int:-2'],
  [`quantity('1').sub(3).asInteger()`, 'int:-2'],
  [`quantity('0.7Gi').asApproximateFloat()`, 'double:7.516192768000001e+08'],
  [`quantity('12345678901234567890').asInteger()`, 'error: cannot convert value to integer'],
  [`quantity('1') == dyn(1)`, 'error: no such overload'],
  [`sign(quantity('-1'))`, 'int:-1'],
  [`quantity('1').isGreaterThan(quantity('2'))`, 'bool:false'],
  [`quantity('1').compareTo(quantity('2'))`, 'int:-1'],
  [`semver('1.2.3').major()`, 'int:1'],
  [`semver('1.2', true).minor()`, 'int:2'],
  [`semver('1.2')`, 'error: No Major.Minor.Patch elements found'],
  [`isSemver('v1', true)`, 'bool:true'],
  [`semver('1.2.3').compareTo(semver('1.2.4'))`, 'int:-1'],
  [`semver('1.2.3') == semver('1.2.3+b')`, 'bool:true'],
  ['[1,2].transformList(i, v, i+v)', 'list:[1, 3]'],
  ['optional.of(1).optMap(x, x+1)', 'optional(int:2)'],
  [`'aXc'.lowerAscii()`, 'string:axc'],
  [`'aéc'.upperAscii()`, 'string:AéC'],
  [`ip('::1').family()`, 'int:6'],
  [`string(timestamp('2024-01-02T03:04:05.120-00:30'))`, 'string:2024-01-02T03:04:05.12-00:30'],
  [`string(duration('1s') + timestamp('2024-01-02T03:04:05+02:00') - duration('1h'))`, 'string:2024-01-02T02:04:06+02:00'],
  [`timestamp('2024-01-02T03:04:05+02:00').getHours()`, 'int:1'],
  [`timestamp('2024-01-02T03:04:05+02:00') == timestamp('2024-01-02T01:04:05Z')`, 'bool:true'],
  [`string(timestamp('2024-01-02T03:04:05-00:00'))`, 'string:2024-01-02T03:04:05Z'],
  [`-dyn(duration('5s'))`, 'google.protobuf.Duration:-5s'],
  [`-dyn('a') == 1`, 'error: no such overload'],
  [`{1.5: 'x'}[1.5]`, 'string:x'],
  [`{dyn(1): 'a', dyn(1u): 'b', dyn(1.0): 'c'}.size()`, 'int:3'],
  [`{dyn(1u): 'b'}[dyn(1)]`, 'string:b'],
  [`{dyn(1u): 'b'}[dyn(1.0)]`, 'string:b'],
  [`{dyn(1.0): 'b'}[dyn(1)]`, 'error: no such key: 1'],
  [`duration('1s') in {duration('1s'): 1}`, 'bool:true'],
  [`[1] in {[1]: 1}`, 'bool:false'],
  [`[[1]].all(key, key in {key: 1})`, 'bool:true'],
  [`[[1]].all(key, {key: 1}[key] == 1)`, 'error: invalid qualifier type: *types.baseList'],
  [`[1.5, 1.5].transformMapEntry(i, v, {v: i})`, 'error: insert failed: key 1.5 already exists'],
];

test.each(answers)('%s is %s', (expression, answer) => {
  expect(evaluated(expression)).toBe(answer);
});

const refusals: readonly [expression: string, issues: readonly string[]][] = [
  [`'a'.find('(')`, ['error parsing regexp: missing closing ): `(`']],
  [`'a'.findAll('x{2,1}')`, ['error parsing regexp: invalid repeat count: `{2,1}`']],
  [`'a'.matches('(')`, ['1:13: invalid matches argument']],
  [`'%d %s'.format([1])`, ['1:15: index 1 out of range']],
  [`'%'.format([1])`, ['1:11: unexpected end of string']],
  [`'%z'.format([1])`, ['1:12: could not parse formatting clause: unrecognized formatting clause "z"']],
  [`'%é'.format([1])`, ['1:12: could not parse formatting clause: unrecognized formatting clause "Ã"']],
  [`'%d'.format(['a'])`, ['1:14: error during formatting: decimal clause can only be used on integers, was given string']],
  [`'%x'.format([1.0])`, ['1:14: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double']],
  [
    `'%s'.format([optional.of(1)])`,
    [
      '1:25: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type',
    ],
  ],
  [
    `'%s'.format([[quantity('1')]])`,
    [
      '1:23: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity',
    ],
  ],
  [`'a'.format([1])`, ['1:11: too many arguments supplied to string.format (expected 0, got 1)']],
  [`'%d'.format([])`, ['1:12: index 0 out of range']],
  [`{null: 'x'}[null]`, ['invalid qualifier type: types.Null']],
  [`{duration('1s'): 1}[duration('1s')]`, ['invalid qualifier type: types.Duration']],
  [`-duration('5s')`, [`1:1: found no matching overload for '-_' applied to '(duration)'`]],
  [`timestamp('0001-01-01T00:00:00+02:00')`, ['1:11: invalid timestamp argument']],
  [`'abc'.reverse()`, [`1:14: found no matching overload for 'reverse' applied to 'string.()'`]],
  [`['a'].sum()`, [`1:10: found no matching overload for 'sum' applied to 'list(string).()'`]],
  [`[{'a':1}].sort()`, [`1:15: found no matching overload for 'sort' applied to 'list(map(string, int)).()'`]],
  ['1.sortBy(x, x)', ['1:1: sortBy can only be applied to a list, identifier, comprehension, call or select expression']],
  ['sets.contains([1,2],[1u])', [`1:14: found no matching overload for 'sets.contains' applied to '(list(int), list(uint))'`]],
  [`string(quantity('1'))`, [`1:7: found no matching overload for 'string' applied to '(kubernetes.Quantity)'`]],
  ['math.greatest(1,2)', [`1:1: undeclared reference to 'math' (in container '')`, `1:14: undeclared reference to 'greatest' (in container '')`]],
  [
    'cel.bind(x, 1, x)',
    [
      `1:1: undeclared reference to 'cel' (in container '')`,
      `1:9: undeclared reference to 'bind' (in container '')`,
      `1:10: undeclared reference to 'x' (in container '')`,
      `1:16: undeclared reference to 'x' (in container '')`,
    ],
  ],
  [`base64.encode(b'a')`, [`1:1: undeclared reference to 'base64' (in container '')`, `1:14: undeclared reference to 'encode' (in container '')`]],
];

test.each(refusals)('%s is refused', (expression, issues) => {
  expect([...refusalOf(expression)].sort()).toEqual([...issues].sort());
});

test('what is wrong inside the arguments of a format is told before what is wrong with the format', () => {
  expect(environment.compile(`'%d'.format(['%z'.format([1])])`)).toMatchObject({
    issues: [
      { column: 24, message: 'could not parse formatting clause: unrecognized formatting clause "z"' },
      { column: 24, message: 'error during formatting: decimal clause can only be used on integers, was given string' },
    ],
  });
});

test('new expressions know what the compatibility version knows, stored ones know everything', () => {
  const compiles = (age: 'new' | 'stored', compatibilityMinor: number, source: string) =>
    kubernetesEnvironment(age, { compatibilityMinor }).compile(source).program !== undefined;
  expect(compiles('new', 33, "semver('1.0.0').major() == 1")).toBe(true);
  expect(compiles('new', 32, "semver('1.0.0').major() == 1")).toBe(false);
  expect(compiles('stored', 32, "semver('1.0.0').major() == 1")).toBe(true);
  expect(compiles('new', 33, '[2, 1].sort() == [1, 2]')).toBe(false);
  expect(compiles('new', 34, '[2, 1].sort() == [1, 2]')).toBe(true);
});

test('new expressions know all libraries of 1.36 when nothing else is said', () => {
  expect(kubernetesEnvironment('new').compile('[2, 1].sort() == [1, 2]').program).toBeDefined();
});

function evaluated(expression: string): string {
  const { program } = environment.compile(expression);
  const outcome = program?.evaluate(new Map());
  if (outcome === undefined) return 'refused';
  return outcome.status === 'value' ? shown(outcome.value) : `error: ${outcome.message}`;
}

function shown(value: CelValue): string {
  if (value instanceof Optional) return value.value === undefined ? 'optional.none' : `optional(${shown(value.value)})`;
  return `${typeNameOf(value)}:${formatText('%s', new ArrayList([value]))}`;
}

function refusalOf(expression: string): readonly string[] {
  const compilation = environment.compile(expression);
  if (compilation.program !== undefined) return [];
  if (compilation.stage === 'plan') return [compilation.text];
  return compilation.issues.map(({ line, column, message }) => `${line}:${column + 1}: ${message}`);
}

test.each([
  ['distinct', 'n.distinct()'],
  ['sets', 'sets.equivalent(n, n)'],
  ['sort', 'n.sort().size() > 0'],
  ['a large range', 'lists.range(1000000000).sum() > 0'],
])('a call that is over the limit does not begin: %s', (_what, expression) => {
  let read = 0;
  const counted: CelList = {
    kind: 'list',
    size: () => 100_000,
    get: (index) => {
      read++;
      return BigInt(index);
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < 100_000; index++) yield this.get(index);
    },
  };
  const { program } = environment.extend({ variables: new Map([['n', listType(intType)]]) }).compile(expression);
  const outcome = program?.evaluate(new Map([['n', counted]]), { costLimit: perCallLimit });
  expect(outcome).toMatchObject({ status: 'error', reason: 'costLimit', message: 'operation cancelled: actual cost limit exceeded' });
  expect(read).toBeLessThan(10);
});
