// Whether the expressions of policies and webhook configurations compile, told at the field that holds them.
import type { FieldErrors } from '#api/field-error.ts';
import { type AdmissionCompilation, AdmissionCompiler, type AdmissionVariables } from '#cel/admission-environment.ts';
import type { ExpressionAge } from '#cel/kubernetes-environment.ts';
import { boolType, listType, nullType, objectType, stringType, type Type } from '#cel/type.ts';

/** What an expression is for says what it may name and what it must give. */
const purposes = {
  matchCondition: { wanted: [boolType], has: { authorizer: true } },
  validation: { wanted: [boolType], has: { authorizer: true } },
  messageExpression: { wanted: [stringType], has: { authorizer: false } },
  auditAnnotation: { wanted: [stringType, nullType], has: { authorizer: true } },
  applyConfiguration: { wanted: [objectType('Object')], has: { authorizer: true, patches: true } },
  jsonPatch: { wanted: [listType(objectType('JSONPatch'))], has: { authorizer: true, patches: true } },
} as const satisfies Readonly<Record<string, { readonly wanted: readonly Type[]; readonly has: Omit<AdmissionVariables, 'params'> }>>;

export type ExpressionPurpose = keyof typeof purposes;

export interface ExpressionCheckOptions {
  readonly hasParams: boolean;
  /** Expressions of the stored object, which may use what newer ones may not yet. */
  readonly stored: ReadonlySet<string>;
  /** The expressions may name `variables`. */
  readonly composed: boolean;
}

/** The expressions of one object, in their order: variables are known to those behind them. */
export class ExpressionChecks {
  readonly #options: ExpressionCheckOptions;
  readonly #composed: AdmissionCompiler;
  readonly #plain = new AdmissionCompiler({ composed: false });

  constructor(options: ExpressionCheckOptions) {
    this.#options = options;
    this.#composed = new AdmissionCompiler({ composed: options.composed });
  }

  /** `shown` is what stands in the object, where only a part of it is compiled. */
  check(purpose: ExpressionPurpose, expression: string, path: string, errors: FieldErrors, shown = expression): void {
    const { wanted, has } = purposes[purpose];
    const compiler = purpose === 'matchCondition' ? this.#plain : this.#composed;
    const may = { ...has, params: this.#options.hasParams };
    errors.later((found) => tell(compiler.compile(expression, wanted, may, this.#ageOf(shown)), shown, path, found));
  }

  checkVariable(name: string, expression: string, path: string, errors: FieldErrors): void {
    const has = { params: this.#options.hasParams, authorizer: true };
    errors.later((found) => tell(this.#composed.compileVariable(name, expression, has, this.#ageOf(expression)), expression, path, found));
  }

  #ageOf(expression: string): ExpressionAge {
    return this.#options.stored.has(expression) ? 'stored' : 'new';
  }
}

function tell(compiled: AdmissionCompilation, shown: string, path: string, errors: FieldErrors): void {
  if (compiled.error === undefined) return;
  if (compiled.isInternal === true) errors.internal(path, compiled.error);
  else errors.invalid(path, shown, compiled.error);
}

/** Every text under a key that ends in `expression`, however deep: what an object has stored before. */
export function expressionsIn(value: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'string') expressionsIn(member, found);
    else if (/[eE]xpression$/.test(key)) found.add(member);
  }
  return found;
}
