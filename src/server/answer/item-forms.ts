// The forms that items can be written in without an object between, for each resource and representation.
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { partialMetadata } from '#resource/table.ts';
import type { StructSchema } from '#schema/build.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { writeJson } from '#schema/json/json-text.ts';
import type { ShownForm } from '#schema/shaped/compile-form.ts';
import { ShapedObject } from '#schema/shaped/shaped-object.ts';
import { isCustom } from '#schema/struct-plan.ts';
import { ItemForm } from '#server/answer/item-form.ts';
import { ItemTexts } from '#server/answer/item-texts.ts';
import { metaVersion, type Representation } from '#server/answer/negotiate.ts';
import { PerShape, ShapeBudget } from '#schema/shaped/per-shape.ts';
import type { Item } from '#verbs/answer.ts';

/** A form takes about twice as much as one object in it. */
const budgetBytes = 16 << 20;

type How = Pick<ShownForm, 'show' | 'as'>;

export class ItemForms {
  readonly #catalog: ResourceCatalog;
  readonly #partial: StructSchema;
  readonly #budget = new ShapeBudget(budgetBytes);
  readonly #texts = new WeakMap<ResourceDefinition, ItemTexts>();
  readonly #forms = new WeakMap<ResourceDefinition, Map<string, ItemForm>>();
  readonly #readers = new WeakMap<ResourceDefinition, (item: Item) => KubernetesObject>();

  constructor(catalog: ResourceCatalog, { partialObjectMetadata }: { readonly partialObjectMetadata: StructSchema }) {
    this.#catalog = catalog;
    this.#partial = partialObjectMetadata;
  }

  /** Undefined: this representation is made of objects, or of bytes as they are stored. */
  of(definition: ResourceDefinition, output: Representation, place: 'alone' | 'in list'): ItemForm | undefined {
    if (output.pretty || (output.format !== 'json' && output.format !== 'protobuf')) return undefined;
    const wanted = place === 'alone' ? 'PartialObjectMetadata' : 'PartialObjectMetadataList';
    if (output.as !== undefined && output.as.kind !== wanted) return undefined;
    if (output.as === undefined && !this.#isShown(definition, output, place)) return undefined;
    return this.#form(definition, `${output.format} ${output.as ? metaVersion(output) : ''}`, () =>
      output.as ? this.#partials(definition, output) : this.#objects(definition, output),
    );
  }

  /** The metadata in rows of Tables, which are written as they are in memory. */
  ofRows(definition: ResourceDefinition, apiVersion: string): ItemForm {
    return this.#form(definition, `row ${apiVersion}`, () => ({ show: this.#metadataOf(definition, apiVersion), as: { json: writeJson } }));
  }

  /** Objects of items as they are stored, each to be looked at before the next is read. */
  readerOf(definition: ResourceDefinition): (item: Item) => KubernetesObject {
    const hub = this.#catalog.hubOf(definition);
    let read = this.#readers.get(hub);
    if (read === undefined) {
      const texts = this.#textsOf(hub);
      const objects = new PerShape((shape) => ShapedObject.of(shape, (json) => hub.form.parse(json)), this.#budget);
      read = (item) => {
        const shape = texts.shapeOf(item);
        return (shape && objects.of(shape)?.read(texts.bytes, texts.places)) ?? item.object;
      };
      this.#readers.set(hub, read);
    }
    return read;
  }

  #textsOf(definition: ResourceDefinition): ItemTexts {
    const hub = this.#catalog.hubOf(definition);
    let texts = this.#texts.get(hub);
    if (texts === undefined) {
      texts = new ItemTexts();
      this.#texts.set(hub, texts);
    }
    return texts;
  }

  /** Conversions may look at values, and single objects in JSON are written as they are stored or as objects. */
  #isShown(definition: ResourceDefinition, { format }: Representation, place: 'alone' | 'in list'): boolean {
    const isHub = this.#catalog.hubOf(definition) === definition;
    if (!isHub && definition.conversion !== undefined) return false;
    return format === 'protobuf' || (!isHub && place === 'in list' && !isCustom(definition.schema));
  }

  #form(definition: ResourceDefinition, name: string, how: () => How): ItemForm {
    let forms = this.#forms.get(definition);
    if (forms === undefined) {
      forms = new Map();
      this.#forms.set(definition, forms);
    }
    let form = forms.get(name);
    if (form === undefined) {
      const stored = this.#catalog.hubOf(definition).form;
      const parse: ShownForm['parse'] = (json) => stored.parse(json);
      form = new ItemForm(`${apiVersionOf(definition)} ${name}`, { parse, ...how() }, this.#textsOf(definition), this.#budget);
      forms.set(name, form);
    }
    return form;
  }

  #objects(definition: ResourceDefinition, { format }: Representation): How {
    const { schema, form } = definition;
    if (format === 'protobuf') return { show: (object) => object, as: { protobuf: schema } };
    const shown = (object: KubernetesObject) => fromHub(this.#catalog, definition, object) as KubernetesObject;
    return { show: (object) => listed(form.listObject([shown(object)], {})), as: { json: (item) => encodeJson(schema, item) } };
  }

  #partials(definition: ResourceDefinition, output: Representation): How {
    const schema = this.#partial;
    const as = output.format === 'protobuf' ? { protobuf: schema } : { json: (shown: object) => encodeJson(schema, shown) };
    return { show: this.#metadataOf(definition, metaVersion(output)), as };
  }

  #metadataOf(definition: ResourceDefinition, apiVersion: string): ShownForm['show'] {
    const hub = this.#catalog.hubOf(definition);
    return (object) => partialMetadata(object, { definition: hub, apiVersion });
  }
}

/** Items of typed lists do not repeat their type. */
function listed(list: object): object {
  return (list as { items: readonly [object] }).items[0];
}
