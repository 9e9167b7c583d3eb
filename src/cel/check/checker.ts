/**
 * Type checking: every node gets a type, every identifier and call what it refers to, and what does not fit becomes an issue in cel-go's words. Names that
 * turn out to be qualified (`a.b.c` of one variable, `optional.of` of one function) are rewritten, so a new tree comes out.
 */
import type { CallExpr, CheckedAst, ComprehensionExpr, Expr, IdentExpr, ListExpr, MapExpr, Reference, SelectExpr, StructExpr } from '../ast.ts';
import type { FunctionDeclaration } from '../library.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  errorType,
  formatType,
  intType,
  isOptionalType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  type Type,
  typeParam,
  uintType,
} from '../type.ts';
import { type CelValue, Uint } from '../value.ts';
import { areAssignable, Bindings, isAssignable, isDyn, isDynOrError, mostGeneral, substitute, unwrapOptional } from './assignability.ts';
import { candidateNames, type Declarations, findFunction, findIdentifier, type Identifier } from './declarations.ts';
import { freshOverload } from './fresh-overload.ts';

export interface CheckError {
  readonly nodeId: number;
  readonly message: string;
}

export interface CheckInput {
  readonly root: Expr;
  readonly source: string;
  readonly positions: ReadonlyMap<number, number>;
  readonly declarations: Declarations;
  /** Elements of one list literal, keys and values of one map literal must agree. */
}

export function check(input: CheckInput): { readonly ast: CheckedAst; readonly errors: readonly CheckError[] } {
  const checker = new Checker(input);
  const root = checker.check(input.root);
  return {
    ast: { root, source: input.source, positions: input.positions, types: checker.settledTypes(), references: checker.references },
    errors: checker.errors,
  };
}

class Checker {
  readonly errors: CheckError[] = [];
  readonly references = new Map<number, Reference>();
  readonly #types = new Map<number, Type>();
  readonly #bindings = new Bindings();
  readonly #declarations: Declarations;
  /** Variables of the comprehensions around the current node, innermost last. */
  readonly #scopes: Map<string, Type>[] = [];
  #freeTypes = 0;

  constructor(input: CheckInput) {
    this.#declarations = input.declarations;
  }

  /** Types with their parameters resolved; a parameter that stayed free is dyn. */
  settledTypes(): ReadonlyMap<number, Type> {
    return new Map([...this.#types].map(([id, type]) => [id, substitute(this.#bindings, type, true)]));
  }

  check(expr: Expr): Expr {
    switch (expr.kind) {
      case 'constant':
        return this.#typed(expr, typeOfConstant(expr.value));
      case 'ident':
        return this.#ident(expr);
      case 'select':
        return this.#select(expr);
      case 'call':
        return expr.function === '_?._' ? this.#optionalSelect(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #ident(expr: IdentExpr): Expr {
    const found = this.#find(expr.name);
    if (found !== undefined) return this.#resolved(expr.id, found);
    this.#report(expr.id, `undeclared reference to '${expr.name}' (in container '${this.#declarations.container}')`);
    return this.#typed(expr, errorType);
  }

  #resolved(id: number, identifier: Identifier): Expr {
    const { name, type, value } = identifier;
    this.references.set(id, value === undefined ? { name, overloadIds: [] } : { name, value, overloadIds: [] });
    return this.#typed({ kind: 'ident', id, name }, type);
  }

  #select(expr: SelectExpr): Expr {
    const qualified = qualifiedName(expr);
    const found = qualified === undefined ? undefined : this.#find(qualified);
    if (found !== undefined) return this.#resolved(expr.id, found);
    const operand = this.check(expr.operand);
    const type = this.#fieldType(expr.id, operand, expr.field, false);
    return this.#typed({ ...expr, operand }, expr.testOnly ? boolType : substitute(this.#bindings, type, false));
  }

  #optionalSelect(expr: CallExpr): Expr {
    const [first, field] = expr.args;
    if (first === undefined || field?.kind !== 'constant' || typeof field.value !== 'string') {
      this.#report(expr.id, `unsupported optional field selection: incorrect signature. argument count: ${expr.args.length}`);
      return this.#typed(expr, errorType);
    }
    const operand = this.check(first);
    const type = this.#fieldType(expr.id, operand, field.value, true);
    this.#typed(field, stringType);
    this.references.set(expr.id, { name: '', overloadIds: ['select_optional_field'] });
    return this.#typed({ ...expr, args: [operand, field] }, substitute(this.#bindings, type, false));
  }

  #fieldType(id: number, operand: Expr, field: string, optional: boolean): Type {
    const operandType = substitute(this.#bindings, this.#typeOf(operand), false);
    const type = this.#fieldOf(id, unwrapOptional(operandType), field);
    return optional || isOptionalType(operandType) ? optionalType(type) : type;
  }

  #fieldOf(id: number, type: Type, field: string): Type {
    switch (type.kind) {
      case 'map':
        return type.params[1] ?? dynType;
      case 'struct':
        return this.#declaredField(id, type.name, field) ?? errorType;
      case 'typeParam':
        isAssignable(this.#bindings, dynType, type);
        return dynType;
      default:
        if (!isDynOrError(type)) this.#report(id, `type '${formatType(type)}' does not support field selection`);
        return dynType;
    }
  }

  #declaredField(id: number, typeName: string, field: string): Type | undefined {
    const types = this.#declarations.types;
    if (types?.findType(typeName) === undefined) this.#report(id, `unexpected failed resolution of '${typeName}'`);
    else {
      const type = types.findField(typeName, field);
      if (type !== undefined) return type;
      this.#report(id, `undefined field '${field}'`);
    }
    return undefined;
  }

  #call(expr: CallExpr): Expr {
    const args = expr.args.map((arg) => this.check(arg));
    if (expr.target === undefined) {
      const declaration = findFunction(this.#declarations, expr.function);
      if (declaration === undefined) return this.#undeclaredFunction({ ...expr, args });
      return this.#applied({ ...expr, function: declaration.name, args }, declaration);
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : findFunction(this.#declarations, `${prefix}.${expr.function}`);
    if (namespaced !== undefined) return this.#applied({ ...expr, function: namespaced.name, target: undefined, args }, namespaced);
    const target = this.check(expr.target);
    const declaration = findFunction(this.#declarations, expr.function);
    const call = { ...expr, target, args };
    return declaration === undefined ? this.#undeclaredFunction(call) : this.#applied(call, declaration);
  }

  #undeclaredFunction(call: CallExpr): Expr {
    this.#report(call.id, `undeclared reference to '${call.function}' (in container '${this.#declarations.container}')`);
    return this.#typed(call, errorType);
  }

  #applied(call: CallExpr, declaration: FunctionDeclaration): Expr {
    if (call.function === '_&&_' || call.function === '_||_') return this.#logic(call, declaration);
    const operands = call.target === undefined ? call.args : [call.target, ...call.args];
    const argTypes = operands.map((operand) => this.#typeOf(operand));
    const overloadIds: string[] = [];
    let result: Type | undefined;
    for (const overload of declaration.overloads) {
      if (overload.undeclared === true || overload.member !== (call.target !== undefined) || overload.args.length !== argTypes.length) continue;
      const fresh = freshOverload(overload, () => this.#freeType());
      if (!areAssignable(this.#bindings, argTypes, fresh.args)) continue;
      overloadIds.push(overload.id);
      const type = substitute(this.#bindings, fresh.result, false);
      if (result === undefined) result = type;
      else if (!isDyn(result) && formatType(type) !== formatType(result)) result = dynType;
    }
    if (result === undefined) return this.#noMatchingOverload(call, argTypes);
    this.references.set(call.id, { name: '', overloadIds });
    return this.#typed(call, result);
  }

  /** `&&` and `||` complain about each operand that is no bool. */
  #logic(call: CallExpr, declaration: FunctionDeclaration): Expr {
    let fits = true;
    for (const arg of call.args) {
      const type = this.#typeOf(arg);
      if (isAssignable(this.#bindings, type, boolType)) continue;
      this.#report(arg.id, `expected type 'bool' but found '${formatType(type)}'`);
      fits = false;
    }
    if (!fits) return this.#typed(call, errorType);
    this.references.set(call.id, { name: '', overloadIds: declaration.overloads.map((overload) => overload.id) });
    return this.#typed(call, boolType);
  }

  #noMatchingOverload(call: CallExpr, argTypes: readonly Type[]): Expr {
    const shown = argTypes.map((type) => formatType(substitute(this.#bindings, type, true)));
    const receiver = call.target === undefined ? '' : `${shown.shift() ?? ''}.`;
    this.#report(call.id, `found no matching overload for '${call.function}' applied to '${receiver}(${shown.join(', ')})'`);
    return this.#typed(call, errorType);
  }

  #list(expr: ListExpr): Expr {
    let joined: Type | undefined;
    const elements = expr.elements.map((element, index) => {
      const checked = this.check(element);
      joined = this.#joined(joined, this.#elementType(checked, expr.optionalIndices.includes(index)));
      return checked;
    });
    return this.#typed({ ...expr, elements }, listType(joined ?? this.#freeType()));
  }

  /** The type of an element, or of the value in it when it is written `?x`. */
  #elementType(expr: Expr, optional: boolean): Type {
    const type = this.#typeOf(expr);
    if (!optional) return type;
    if (!isOptionalType(type) && !isDyn(type)) this.#mismatch(expr.id, optionalType(type), type);
    return unwrapOptional(type);
  }

  #map(expr: MapExpr): Expr {
    let keyType: Type | undefined;
    let valueType: Type | undefined;
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = this.#joined(keyType, this.#typeOf(key));
      const value = this.check(entry.value);
      valueType = this.#joined(valueType, this.#elementType(value, entry.optional));
      return { ...entry, key, value };
    });
    return this.#typed({ ...expr, entries }, mapType(keyType ?? this.#freeType(), valueType ?? this.#freeType()));
  }

  #struct(expr: StructExpr): Expr {
    const found = this.#find(expr.typeName);
    if (found === undefined) {
      this.#report(expr.id, `undeclared reference to '${expr.typeName}' (in container '${this.#declarations.container}')`);
      return this.#typed(expr, errorType);
    }
    this.references.set(expr.id, { name: found.name, overloadIds: [] });
    const type = this.#constructed(expr.id, found);
    this.#typed(expr, type);
    const fields = expr.fields.map((field) => {
      const value = this.check(field.value);
      const declared = this.#declaredField(field.id, type.name, field.field) ?? errorType;
      const given = this.#elementType(value, field.optional);
      if (!isAssignable(this.#bindings, declared, given)) {
        this.#report(field.id, `expected type of field '${field.field}' is '${formatType(declared)}' but provided type is '${formatType(given)}'`);
      }
      return { ...field, value };
    });
    return { ...expr, typeName: type.kind === 'struct' ? type.name : found.name, fields };
  }

  /** The object type that `Name{…}` makes. */
  #constructed(id: number, identifier: Identifier): Type {
    const { type } = identifier;
    const made = type.params[0];
    if (type.kind !== 'type' || made === undefined) {
      this.#report(id, `'${type.name}' is not a type`);
      return errorType;
    }
    if (made.kind === 'struct') return made;
    this.#report(id, `'${made.name}' is not a message type`);
    return errorType;
  }

  #comprehension(expr: ComprehensionExpr): Expr {
    const range = this.check(expr.range);
    const accumulatorInit = this.check(expr.accumulatorInit);
    const [type, type2] = this.#iterated(range, expr.variable2 !== undefined);
    const accumulatorType = this.#typeOf(accumulatorInit);
    this.#scopes.push(new Map([[expr.accumulator, accumulatorType]]));
    const loop = new Map([[expr.variable, type]]);
    if (expr.variable2 !== undefined) loop.set(expr.variable2, type2);
    this.#scopes.push(loop);
    const condition = this.check(expr.condition);
    this.#assertType(condition, boolType);
    const step = this.check(expr.step);
    this.#assertType(step, accumulatorType);
    this.#scopes.pop();
    const result = this.check(expr.result);
    this.#scopes.pop();
    return this.#typed({ ...expr, range, accumulatorInit, condition, step, result }, substitute(this.#bindings, this.#typeOf(result), false));
  }

  /** Types of the iteration variables: element; key; index and element; key and value. */
  #iterated(range: Expr, two: boolean): readonly [Type, Type] {
    const type = substitute(this.#bindings, this.#typeOf(range), false);
    const [first = dynType, second = dynType] = type.params;
    switch (type.kind) {
      case 'list':
        return two ? [intType, first] : [first, first];
      case 'map':
        return [first, second];
      case 'dyn':
      case 'error':
      case 'typeParam':
        isAssignable(this.#bindings, dynType, type);
        return [dynType, dynType];
      default:
        this.#report(range.id, `expression of type '${formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
        return [errorType, errorType];
    }
  }

  #joined(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return isAssignable(this.#bindings, previous, current) ? mostGeneral(previous, current) : dynType;
  }

  #assertType(expr: Expr, type: Type): void {
    if (!isAssignable(this.#bindings, type, this.#typeOf(expr))) this.#mismatch(expr.id, type, this.#typeOf(expr));
  }

  /** A variable of the scopes around, innermost first, then what the environment declares. */
  #find(name: string): Identifier | undefined {
    if (this.#scopes.length > 0) {
      for (const candidate of candidateNames(this.#declarations.container, name)) {
        for (let index = this.#scopes.length - 1; index >= 0; index--) {
          const type = this.#scopes[index]?.get(candidate);
          if (type !== undefined) return { name: candidate, type };
        }
      }
    }
    return findIdentifier(this.#declarations, name);
  }

  #typed<Node extends Expr>(expr: Node, type: Type): Node {
    this.#types.set(expr.id, type);
    return expr;
  }

  #typeOf(expr: Expr): Type {
    return this.#types.get(expr.id) ?? errorType;
  }

  #freeType(): Type {
    return typeParam(`_var${this.#freeTypes++}`);
  }

  #mismatch(id: number, expected: Type, actual: Type): void {
    this.#report(id, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #report(nodeId: number, message: string): void {
    this.errors.push({ nodeId, message });
  }
}

function typeOfConstant(value: CelValue): Type {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'string':
      return stringType;
    default:
      return value === null ? nullType : value instanceof Uint ? uintType : bytesType;
  }
}

/** `a.b.c` as one name, when the expression is nothing but names. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
