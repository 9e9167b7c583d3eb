// Changes of an object, drawn at random: fields removed, added, emptied, doubled, renamed, or given values of other objects and odd ones.
const odd = {
  string: [
    '',
    ' ',
    'a',
    'A',
    'UPPER',
    'with space',
    'a/b',
    'a.b',
    '-a',
    'a-',
    'ü',
    '日本',
    '1',
    '10.0.0.1',
    '::1',
    '10.0.0.0/8',
    'http',
    '80',
    'true',
    'null',
    '\u0000',
    'a\nb',
    '%',
    '50%',
    '1Gi',
    '-1',
    '1.5',
    '0',
    '1e3',
    '..',
    '../x',
    '/abs',
    'a'.repeat(64),
    'b'.repeat(254),
    'example.com/a',
    'Example.com/B',
    'kubernetes.io/x',
    '*',
    '*.example.com',
    'Unknown',
    'None',
    'Always',
    'a,b',
    'a=b',
    '2030-01-02T03:04:05Z',
    '9m',
    '$(A)',
    '👍',
  ],
  integer: [
    0, 1, -1, 2, 7, 80, 100, 101, 255, 256, 443, 1000, 30000, 32767, 32768, 65535, 65536, 86400, 1e6, 2147483647, 2147483648, -2147483648, -2147483649,
    4294967296, 9007199254740991,
  ],
  number: [0, -1, 1.5, 1e10],
  boolean: [true, false],
};
const anything = [null, '', 'x', 0, 1, -1, 1.5, true, false, [], {}, ['x'], [null], { a: 'b' }, { a: null }, [[]], [{}]];
const quantities = [
  '0',
  '1',
  '-1',
  '1m',
  '0.5',
  '1.5',
  '100m',
  '1Gi',
  '1G',
  '1.5Gi',
  '1e3',
  '1E3',
  '1k',
  '1K',
  '0.1m',
  '1n',
  '9223372036854775808',
  '10Ei',
  'x',
  '',
  '1 ',
  '1Gib',
  '.5',
  '5.',
  '+1',
  1,
  1.5,
  -1,
  '1000000000000000000000',
];
const names = ['a', 'name', 'x1', 'spec', 'unknownField', 'Name', 'kind', 'metadata', 'apiVersion'];

export function mutator({ types, values, random }) {
  const below = (count) => Math.floor(random() * count);
  const oneOf = (list) => list[below(list.length)];
  const chance = (share) => random() < share;

  /** All places in an object, with the type of each. */
  function places(value, at, path = [], found = []) {
    found.push({ path, at, value });
    if (value && typeof value === 'object')
      for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value))
        places(item, types.under(at.type, at.shape, key), [...path, key], found);
    return found;
  }

  function valueOf(at, name, depth = 0) {
    const seen = name && values.get(name);
    if (seen && chance(0.6)) return structuredClone(oneOf([...seen.values()]));
    return madeValue(at, depth);
  }

  function madeValue({ type, shape, field }, depth) {
    if (type?.special === 'json-int-or-string') return oneOf([0, 1, -1, 80, 65536, '50%', '101%', 'http', '', '0', 'UP', '-5%', '1.5%']);
    if (shape?.ref?.endsWith('Quantity')) return oneOf(quantities);
    if (type && !type.special) return madeStruct(type, depth);
    if (type?.special) return oneOf(['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.123456Z', '2030-01-02T03:04:05+02:00', '', 'x', 5, '10s', null]);
    if (field?.enum && chance(0.6)) return oneOf(field.enum);
    if (shape?.type === 'array') return Array.from({ length: below(3) }, () => madeValue(types.under(undefined, shape, 0), depth + 1));
    if (shape?.type === 'object' || shape?.additionalProperties)
      return Object.fromEntries(Array.from({ length: below(3) }, () => [oneOf(odd.string), madeValue(types.under(undefined, shape, 'x'), depth + 1)]));
    return structuredClone(oneOf(odd[shape?.type] ?? anything));
  }

  function madeStruct(type, depth) {
    const made = {};
    for (const field of types.fieldsOf(type)) {
      if (!field.json || (!field.req && (depth > 2 || chance(0.6)))) continue;
      made[field.json] = valueOf(types.under(type, undefined, field.json), `${type.openapi}.${field.json}`, depth + 1);
    }
    return made;
  }

  const nameOf = ({ path }, parent) => (parent?.at.type && typeof path.at(-1) === 'string' ? `${parent.at.type.openapi}.${path.at(-1)}` : undefined);

  function changeOnce(object, root, within) {
    const all = places(object, { type: root }).filter(({ path }) => path.length > 0 && !['apiVersion', 'kind'].includes(path[0]) && within(path));
    if (all.length === 0) return '';
    const place = oneOf(all);
    const parent = places(object, { type: root }).find(({ path }) => path.join('\0') === place.path.slice(0, -1).join('\0'));
    const key = place.path.at(-1);
    const holder = parent.value;
    const what = place.path.join('.');
    switch (oneOf(['value', 'value', 'value', 'value', 'add', 'add', 'add', 'add', 'remove', 'wrong', 'null', 'empty', 'double', 'unknown'])) {
      case 'remove':
        if (Array.isArray(holder)) holder.splice(key, 1);
        else delete holder[key];
        return `${what} remove`;
      case 'wrong':
        holder[key] = structuredClone(oneOf(anything));
        return `${what} wrong`;
      case 'null':
        holder[key] = null;
        return `${what} null`;
      case 'empty':
        holder[key] = Array.isArray(place.value) ? [] : typeof place.value === 'object' ? {} : typeof place.value === 'string' ? '' : 0;
        return `${what} empty`;
      case 'double':
        if (Array.isArray(place.value) && place.value.length > 0) place.value.push(structuredClone(oneOf(place.value)));
        else if (Array.isArray(holder)) holder.push(structuredClone(place.value));
        else return changeOnce(object, root, within);
        return `${what} double`;
      case 'unknown':
        if (!place.value || typeof place.value !== 'object' || Array.isArray(place.value)) return changeOnce(object, root, within);
        place.value[oneOf(names)] = structuredClone(oneOf(anything));
        return `${what} unknown`;
      case 'add':
        return addTo(object, root, within, all);
      default:
        holder[key] = valueOf(place.at, nameOf(place, parent));
        return `${what} value`;
    }
  }

  function addTo(object, root, within, all) {
    const place = oneOf(all.filter(({ value }) => value && typeof value === 'object') ?? []);
    if (place === undefined) return changeOnce(object, root, within);
    if (Array.isArray(place.value)) {
      place.value.push(madeValue(types.under(place.at.type, place.at.shape, 0), 0));
      return `${place.path.join('.')} item`;
    }
    const missing = types.fieldsOf(place.at.type).filter(({ json }) => json && !(json in place.value));
    if (missing.length === 0) {
      if (!place.at.shape?.additionalProperties) return changeOnce(object, root, within);
      const name = oneOf(odd.string);
      place.value[name] = madeValue(types.under(undefined, place.at.shape, name), 0);
      return `${place.path.join('.')} entry`;
    }
    const field = oneOf(missing);
    place.value[field.json] = valueOf(types.under(place.at.type, undefined, field.json), `${place.at.type.openapi}.${field.json}`);
    return `${place.path.join('.')}.${field.json} add`;
  }

  /** The object with one to three changes, and what they were. */
  function changed(original, within = () => true) {
    const object = structuredClone(original);
    const root = types.typeOf(object);
    const count = 1 + (chance(0.3) ? 1 : 0) + (chance(0.1) ? 1 : 0);
    const what = Array.from({ length: count }, () => changeOnce(object, root, within)).join(', ');
    return { object: chance(0.5) ? shuffled(object) : object, what };
  }

  /** The same object with its keys in another order. */
  function shuffled(value) {
    if (Array.isArray(value)) return value.map(shuffled);
    if (!value || typeof value !== 'object') return value;
    const keys = Object.keys(value);
    for (let index = keys.length - 1; index > 0; index--) {
      const other = below(index + 1);
      [keys[index], keys[other]] = [keys[other], keys[index]];
    }
    return Object.fromEntries(keys.map((key) => [key, shuffled(value[key])]));
  }
  return { changed, oneOf, below, chance, odd, anything };
}
