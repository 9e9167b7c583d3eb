/** An environment knows variables, types and libraries, and compiles source text to programs. */
import type { CheckedAst } from './ast.ts';
import { type CheckError, check } from './check/checker.ts';
import { type Declarations, mergeConstants, mergeFunctions } from './check/declarations.ts';
import { checkLiterals } from './check/literal-checks.ts';
import { PlanFailure } from './evaluate/plan.ts';
import { planProgram } from './evaluate/planner.ts';
import { type Program, programOf } from './evaluate/program.ts';
import type { CallCosts, Library, Macro } from './library.ts';
import { macroTable } from './parse/macro-expansion.ts';
import { parseSource } from './parse/parse-source.ts';
import { formatIssues, type Issue, issueAt, noOffset } from './parse/source.ts';
import { dynType, type Type, type TypeProvider } from './type.ts';

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  readonly variables: ReadonlyMap<string, Type>;
  readonly types?: TypeProvider;
  readonly costs?: CallCosts;
  /**
   * `kubernetes` (the default): elements of a list agree, constant arguments of duration(), timestamp() and matches() are checked, no backtick names.
   * `standard`: what the language's own conformance tests expect.
   */
  readonly dialect?: 'kubernetes' | 'standard';
  /** The namespace in which names are resolved; empty in Kubernetes. */
  readonly container?: string;
}

/**
 * A program, or why there is none. `text` is what the API shows: all issues (`ERROR: <input>:1:8: …` with line and caret), or, when the program itself could
 * not be built (`stage` is `plan`), the bare error.
 */
export type Compilation =
  | { readonly program: Program; readonly issues: readonly [] }
  | { readonly program: undefined; readonly issues: readonly Issue[]; readonly text: string; readonly stage: 'check' | 'plan'; readonly outputType?: Type };

/** Compiles expressions against one set of declarations. Immutable; `extend` makes another. */
export class Environment {
  readonly #options: EnvironmentOptions;
  readonly #declarations: Declarations;
  readonly #macros: ReadonlyMap<string, Macro>;

  /** `base` has the same libraries: what was made of them is shared. */
  constructor(options: EnvironmentOptions, base?: Environment) {
    this.#options = options;
    this.#macros = base !== undefined ? base.#macros : macroTable(options.libraries.flatMap((library) => library.macros ?? []));
    this.#declarations = {
      functions: base !== undefined ? base.#declarations.functions : mergeFunctions(options.libraries),
      constants: base !== undefined ? base.#declarations.constants : mergeConstants(options.libraries),
      variables: options.variables,
      types: options.types,
      container: options.container ?? '',
    };
  }

  /** The same libraries with variables added and, if given, other types or costs. */
  extend(added: Pick<EnvironmentOptions, 'variables'> & Partial<Pick<EnvironmentOptions, 'types' | 'costs'>>): Environment {
    const variables = new Map([...this.#options.variables, ...added.variables]);
    return new Environment({ ...this.#options, ...added, variables }, this);
  }

  compile(source: string): Compilation {
    const kubernetes = this.#options.dialect !== 'standard';
    const parsed = parseSource(source, { macros: this.#macros, escapedIdentifiers: !kubernetes });
    if ('issues' in parsed) return refused(source, parsed.issues);
    const { ast, errors } = check({ ...parsed, source, declarations: this.#declarations });
    const complaints = errors.length > 0 || !kubernetes ? errors : this.#validate(ast);
    if (complaints.length > 0)
      return refused(
        source,
        complaints.map((error) => issueOf(ast, error)),
      );
    return this.#plan(source, ast);
  }

  /** cel-go's validators: of literals, and what libraries bring. */
  #validate(ast: CheckedAst): readonly CheckError[] {
    return [...checkLiterals(ast), ...this.#options.libraries.flatMap((library) => library.validate?.(ast) ?? [])];
  }

  #plan(source: string, ast: CheckedAst): Compilation {
    try {
      return { program: programOf(ast, planProgram(ast, this.#declarations, this.#options.costs)), issues: [] };
    } catch (error) {
      if (!(error instanceof PlanFailure)) throw error;
      const outputType = ast.types.get(ast.root.id) ?? dynType;
      return { program: undefined, issues: [issueAt(source, noOffset, error.message)], text: error.message, stage: 'plan', outputType };
    }
  }
}

function refused(source: string, issues: readonly Issue[]): Compilation {
  return { program: undefined, issues, text: formatIssues(source, issues), stage: 'check' };
}

function issueOf(ast: CheckedAst, error: CheckError): Issue {
  return issueAt(ast.source, ast.positions.get(error.nodeId) ?? noOffset, error.message);
}
