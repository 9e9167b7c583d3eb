// The `x-kubernetes-validations` of one part of a schema, compiled: programs, what they cost at most, and what is wrong with them. A part may have
// thousands, so each is compiled when it is first asked for, and whoever goes through them lets other requests have their turn in between.
import { estimateCost } from '#cel/cost/estimate-cost.ts';
import type { SizeEstimator } from '#cel/cost/cost-node.ts';
import { sizesOf } from '#cel/cost/declared-sizes.ts';
import { kubernetesCallEstimate } from '#cel/cost/kubernetes-call-estimate.ts';
import { maximumRequestBytes } from '#cel/cost/limits.ts';
import type { Compilation, Environment } from '#cel/environment.ts';
import type { Program } from '#cel/evaluate/program.ts';
import { type ExpressionAge, kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { boolType, optionalType, sameType, stringType } from '#cel/type.ts';
import type { AnySchema } from '#schema/build.ts';
import { findField } from '#schema/field-path.ts';
import { schemaOfMember } from '#schema/structural/correlate.ts';
import { type DeclaredType, declaredType, typeProvider } from '#schema/cel/declared-type.ts';

export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export interface CompiledRule {
  readonly source: ValidationRule;
  /** Undefined for an empty rule and for one that does not compile. */
  readonly program?: Program;
  readonly error?: string;
  readonly usesOldSelf: boolean;
  readonly maxCost: number;
  readonly messageProgram?: Program;
  readonly messageError?: string;
  readonly messageMaxCost: number;
  /** The field that the rule blames, below the value it stands at: `a.b[key]`; empty for the value itself. */
  readonly fieldPath: string;
}

/** Rules that are being written are judged by the libraries that the release before knows too. */
export type AgeOf = (expression: string) => ExpressionAge;

export class CompiledRules {
  readonly sources: readonly ValidationRule[];
  /** How many values of this type fit into a request: how often the rules may run. */
  readonly maxCardinality: number;
  readonly #compiled: CompiledRule[] = [];
  /** Let go when all are compiled. */
  #compile: ((source: ValidationRule) => CompiledRule) | undefined;
  #left: number;
  #seconds = 0;

  private constructor(schema: AnySchema, declared: DeclaredType, ageOf: AgeOf) {
    this.sources = (schema.rules?.validations ?? []) as readonly ValidationRule[];
    this.#left = this.sources.length;
    this.maxCardinality = Math.floor(maximumRequestBytes / (declared.minBytes + 1));
    const environments = new RuleEnvironments(declared, ageOf);
    const size = sizesOf(declared);
    this.#compile = (source) => ({ ...compileRule(source, environments, size), fieldPath: normalizedPath(schema, source.fieldPath ?? '') });
  }

  /** Undefined when the schema says too little for rules to look at its values. */
  static of(schema: AnySchema, isRoot: boolean, ageOf: AgeOf): CompiledRules | undefined {
    const declared = declaredType(schema, selfTypeName(), isRoot);
    return declared && new CompiledRules(schema, declared, ageOf);
  }

  /** `onCompiled` hears how long all of them took, in seconds, with the last one. */
  at(index: number, onCompiled?: (seconds: number) => void): CompiledRule {
    return this.#compiled[index] ?? this.#make(index, onCompiled);
  }

  #make(index: number, onCompiled: ((seconds: number) => void) | undefined): CompiledRule {
    const began = performance.now();
    const made = (this.#compile as (source: ValidationRule) => CompiledRule)(this.sources[index] as ValidationRule);
    this.#compiled[index] = made;
    this.#seconds += (performance.now() - began) / 1_000;
    if (--this.#left > 0) return made;
    this.#compile = undefined;
    onCompiled?.(this.#seconds);
    return made;
  }
}

/** With a dot before properties and brackets around keys, as errors name fields; nothing for a path that names none. */
function normalizedPath(schema: AnySchema, path: string): string {
  if (path === '') return '';
  let text = '';
  const found = findField(path, schema, (around: AnySchema, name: string) => {
    text += around.is === 'map' ? `[${name}]` : `${text === '' ? '' : '.'}${name}`;
    return schemaOfMember(around, name);
  });
  return 'problem' in found ? '' : text;
}

let madeTypes = 0;

/** Another name each time: no expression can come to rely on it. */
function selfTypeName(): string {
  madeTypes += 1;
  return `selfType${madeTypes}`;
}

class RuleEnvironments {
  readonly #declared: DeclaredType;
  readonly #ageOf: AgeOf;
  readonly #made = new Map<string, Environment>();

  constructor(declared: DeclaredType, ageOf: AgeOf) {
    this.#declared = declared;
    this.#ageOf = ageOf;
  }

  compile(expression: string, optionalOldSelf: boolean): Compilation {
    const age = this.#ageOf(expression);
    const key = `${age} ${optionalOldSelf}`;
    let environment = this.#made.get(key);
    if (environment === undefined) {
      const { type } = this.#declared;
      const variables = new Map([
        ['self', type],
        ['oldSelf', optionalOldSelf ? optionalType(type) : type],
      ]);
      environment = kubernetesEnvironment(age).extend({ variables, types: typeProvider(this.#declared) });
      this.#made.set(key, environment);
    }
    return environment.compile(expression);
  }
}

function compileRule(source: ValidationRule, environments: RuleEnvironments, size: SizeEstimator): Omit<CompiledRule, 'fieldPath'> {
  const none = { source, usesOldSelf: false, maxCost: 0, messageMaxCost: 0 };
  if (source.rule.trim() === '') return none;
  const compiled = environments.compile(source.rule, source.optionalOldSelf === true);
  if (compiled.program === undefined) {
    return { ...none, error: `${compiled.stage === 'plan' ? 'program instantiation' : 'compilation'} failed: ${compiled.text}` };
  }
  const { program } = compiled;
  if (!sameType(program.outputType, boolType)) return { ...none, error: 'cel expression must evaluate to a bool' };
  const maxCost = estimateCost(program.ast, { size, call: kubernetesCallEstimate }).max;
  return { ...none, program, usesOldSelf: mentions(program, 'oldSelf'), maxCost, ...compileMessage(source, environments, size) };
}

function compileMessage(source: ValidationRule, environments: RuleEnvironments, size: SizeEstimator): Partial<CompiledRule> {
  const { messageExpression = '', optionalOldSelf } = source;
  if (messageExpression === '') return {};
  const compiled = environments.compile(messageExpression, optionalOldSelf === true);
  if (compiled.program === undefined) {
    return { messageError: `messageExpression ${compiled.stage === 'plan' ? 'instantiation' : 'compilation'} failed: ${compiled.text}` };
  }
  const { program } = compiled;
  if (!sameType(program.outputType, stringType)) return { messageError: 'messageExpression must evaluate to a string' };
  return { messageProgram: program, messageMaxCost: estimateCost(program.ast, { size, call: kubernetesCallEstimate }).max };
}

function mentions({ ast }: Program, variable: string): boolean {
  for (const reference of ast.references.values()) if (reference.name === variable) return true;
  return false;
}
