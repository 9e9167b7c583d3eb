// A value of a schema as Go's spew prints the struct for a hash (`%#v`, pointers followed, map keys sorted): what the names of ReplicaSets are
// made of. Every field of every struct appears, in the order of the tables, with its Go name and type.
import { parseQuantity, type Quantity } from '#base/quantity.ts';
import type { AnyField, AnySchema, FieldTable, ScalarSchema, StructSchema } from '#schema/build.ts';
import { goFieldName } from '#schema/go-field-name.ts';
import { goItemType, goStructName, goTypeOf, goTypeOfField } from '#schema/go-type.ts';

type Members = Readonly<Record<string, unknown>>;

/** With the type in front, as of a value that stands by itself. */
export function goDump(schema: StructSchema, value: object): string {
  return `(${goTypeOf(schema)})${structText(schema, value as Members)}`;
}

function structText(schema: StructSchema, value: Members): string {
  return `{${fieldTexts(schema.name, schema.fields, value).join(' ')}}`;
}

function fieldTexts(owner: string, fields: FieldTable, value: Members): string[] {
  const texts: string[] = [];
  let lastEmbedded: StructSchema | undefined;
  for (const [name, field] of Object.entries(fields)) {
    const { via } = field;
    if (via === undefined) texts.push(`${goFieldName(goStructName(owner), name)}:${fieldText(field, value[name])}`);
    // All fields of an embedded struct come together, as one field of its name.
    else if (via.struct !== lastEmbedded) texts.push(`${goStructName(via.struct.name)}:(${goTypeOf(via.struct)})${structText(via.struct, value)}`);
    lastEmbedded = via?.struct;
  }
  return texts;
}

function fieldText(field: AnyField, value: unknown): string {
  const type = goTypeOfField(field);
  const isPointer = field.presence === 'pointer' && field.schema.is !== 'list' && field.schema.is !== 'map';
  if (isPointer && (value === undefined || value === null)) return `(*${type})<nil>`;
  return `(${isPointer ? '*' : ''}${type})${valueText(field.schema, value, type)}`;
}

function valueText(schema: AnySchema, value: unknown, type: string): string {
  switch (schema.is) {
    case 'struct':
      return structText(schema, (value ?? {}) as Members);
    case 'list':
      return listText(schema.item, (value ?? []) as readonly unknown[], type);
    case 'map':
      return mapText(schema.value, (value ?? {}) as Members, type);
    default:
      return scalarText(schema, value);
  }
}

/** Protobuf, by which controllers of the original read, knows no empty lists and maps: they are nil there. */
function listText(item: AnySchema, values: readonly unknown[], type: string): string {
  if (values.length === 0) return '<nil>';
  return `[${values.map((value) => valueText(item, value, goItemType(type, item))).join(' ')}]`;
}

function mapText(item: AnySchema, values: Members, type: string): string {
  const keys = Object.keys(values).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (keys.length === 0) return '<nil>';
  return `map[${keys.map((key) => `${key}:${valueText(item, values[key], goItemType(type, item))}`).join(' ')}]`;
}

function scalarText({ is }: ScalarSchema, value: unknown): string {
  switch (is) {
    case 'string':
      return (value ?? '') as string;
    case 'boolean':
      return String(value ?? false);
    case 'int32':
    case 'int64':
    case 'double':
      return String(value ?? 0);
    case 'quantity':
      return quantityText(parseQuantity((value as string | undefined) ?? '0'));
    case 'intOrString':
      return typeof value === 'string' ? unionText(1, 0, value) : unionText(0, (value ?? 0) as number, '');
    case 'time':
      return `{Time:(time.Time){${timeText(value as string | null | undefined)}}}`;
    default:
      return bytesText(value);
  }
}

function unionText(type: 0 | 1, number: number, text: string): string {
  return `{Type:(intstr.Type)${type} IntVal:(int32)${number} StrVal:(string)${text}}`;
}

/** Seconds that Go counts from the year 1. The zone of a time depends on where the original runs: only times that are not set are equal. */
function timeText(value: string | null | undefined): string {
  const seconds = value ? Math.floor(Date.parse(value) / 1000) + 62_135_596_800 : 0;
  return `wall:(uint64)0 ext:(int64)${seconds} loc:(*time.Location)<nil>`;
}

function bytesText(value: unknown): string {
  if (value === undefined || value === null) return '{Raw:([]uint8)<nil>}';
  return `{Raw:([]uint8)[${[...Buffer.from(JSON.stringify(value))].join(' ')}]}`;
}

function quantityText(quantity: Quantity): string {
  const { unscaled, exponent, format, text = '', decimal } = quantity;
  const machine = decimal ? { value: 0n, scale: 0 } : { value: unscaled, scale: exponent };
  const amount = `i:(resource.int64Amount){value:(int64)${machine.value} scale:(resource.Scale)${machine.scale}}`;
  return `{${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal ? decimalText(quantity) : '<nil>'}} s:(string)${text} Format:(resource.Format)${format}}`;
}

/** Amounts beyond machine integers are rounded to billionths there, and the largest one is a whole number. */
const largest = 2n ** 63n - 1n;

function decimalText({ unscaled, exponent }: Quantity): string {
  const isWhole = unscaled === 0n || (unscaled === largest && exponent === 0);
  const scale = isWhole ? -exponent : 9;
  const amount = isWhole ? unscaled : unscaled * 10n ** BigInt(exponent + 9);
  const words: bigint[] = [];
  for (let rest = amount < 0n ? -amount : amount; rest > 0n; rest >>= 64n) words.push(rest & 0xffff_ffff_ffff_ffffn);
  const digits = words.length === 0 ? '<nil>' : `[${words.join(' ')}]`;
  return `{unscaled:(big.Int){neg:(bool)${amount < 0n} abs:(big.nat)${digits}} scale:(inf.Scale)${scale}}`;
}
