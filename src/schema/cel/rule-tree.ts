// Where in a schema validation rules stand: only those parts of an object are visited that have some, here or below.
import type { AnySchema } from '#schema/build.ts';
import { CompiledRules } from '#schema/cel/compiled-rules.ts';
import { perSchema } from '#schema/per-schema.ts';

/** Hears how long rules took, in seconds. */
export interface RuleTimes {
  /** The rules of one schema were compiled. */
  readonly compiled: (seconds: number) => void;
  /** The rules of one object were evaluated. */
  readonly evaluated: (seconds: number) => void;
  /** An update was validated: so much of that went into the comparison with the old object. */
  readonly compared: (seconds: number) => void;
}

/** Undefined when the schema says too little for rules to look at its values. */
type NodeRules = CompiledRules | 'none' | undefined;

/** Structural schemas are trees, and so is this. */
export interface RuleNode {
  readonly schema: AnySchema;
  /** A whole custom object or one that is embedded in one: rules see its names too. */
  readonly isWhole: boolean;
  /** Compiled when a value is first judged. */
  readonly rules: () => NodeRules;
  readonly members: ReadonlyMap<string, RuleNode>;
  readonly values: RuleNode | undefined;
  readonly items: RuleNode | undefined;
}

/** Undefined for a schema without rules. */
export function ruleTree(schema: AnySchema, isRoot: boolean): RuleNode | undefined {
  return isRoot ? trees(schema).root : trees(schema).part;
}

export function hasRules(schema: AnySchema): boolean {
  return ruleTree(schema, true) !== undefined;
}

const trees = perSchema((schema): { readonly root: RuleNode | undefined; readonly part: RuleNode | undefined } => {
  let root: RuleNode | undefined | null = null;
  let part: RuleNode | undefined | null = null;
  return {
    get root() {
      if (root === null) root = nodeOf(schema, true);
      return root;
    },
    get part() {
      if (part === null) part = nodeOf(schema, false);
      return part;
    },
  };
});

function nodeOf(schema: AnySchema, isRoot: boolean): RuleNode | undefined {
  const members = new Map<string, RuleNode>();
  if (schema.is === 'struct' && schema.name === '') {
    for (const [name, field] of Object.entries(schema.fields)) {
      const member = nodeOf(field.schema, false);
      if (member !== undefined) members.set(name, member);
    }
  }
  const values = schema.is === 'map' ? nodeOf(schema.value, false) : undefined;
  const items = schema.is === 'list' ? nodeOf(schema.item, false) : undefined;
  const hasOwn = (schema.rules?.validations?.length ?? 0) > 0;
  if (!hasOwn && members.size === 0 && values === undefined && items === undefined) return undefined;
  const isWhole = isRoot || (schema.is === 'struct' && schema.options.embeddedResource === true);
  return { schema, isWhole, rules: hasOwn ? readOnce(() => CompiledRules.of(schema, isWhole, () => 'stored')) : noRules, members, values, items };
}

const noRules = () => 'none' as const;

function readOnce(read: () => CompiledRules | undefined): RuleNode['rules'] {
  let made: { readonly rules: CompiledRules | undefined } | undefined;
  return () => (made ??= { rules: read() }).rules;
}
