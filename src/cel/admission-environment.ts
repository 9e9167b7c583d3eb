// The environments of admission: what expressions of policies and match conditions may name, and of which type it is, as apiserver's
// pkg/admission/plugin/cel declares it. Objects are dynamic; the request and the namespace have types of their own.
import { lazily } from '#base/lazily.ts';
import type { Compilation, Environment } from '#cel/environment.ts';
import type { Program } from '#cel/evaluate/program.ts';
import { type ExpressionAge, kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { authorizerType, resourceCheckType } from '#cel/library/authorizer.ts';
import { jsonPatchLibrary } from '#cel/library/json-patch.ts';
import { mutationTypes } from '#cel/library/mutation-types.ts';
import { type ObjectTypes, objectTypes } from '#cel/object-types.ts';
import {
  boolType,
  dynType,
  typeToString,
  intType,
  listType,
  mapType,
  objectType,
  sameType,
  stringType,
  timestampType,
  type Type,
  type TypeProvider,
} from '#cel/type.ts';

export interface AdmissionVariables {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Expressions that make patches: `JSONPatch{…}`, `Object{…}`. */
  readonly patches?: boolean;
}

const texts = listType(stringType);
const textMap = mapType(stringType, stringType);

const gvk = { group: stringType, version: stringType, kind: stringType };
const gvr = { group: stringType, version: stringType, resource: stringType };

const types: ObjectTypes = {
  'kubernetes.GroupVersionKind': gvk,
  'kubernetes.GroupVersionResource': gvr,
  'kubernetes.UserInfo': { username: stringType, uid: stringType, groups: texts, extra: mapType(stringType, texts) },
  'kubernetes.AdmissionRequest': {
    kind: objectType('kubernetes.GroupVersionKind'),
    resource: objectType('kubernetes.GroupVersionResource'),
    subResource: stringType,
    requestKind: objectType('kubernetes.GroupVersionKind'),
    requestResource: objectType('kubernetes.GroupVersionResource'),
    requestSubResource: stringType,
    name: stringType,
    namespace: stringType,
    operation: stringType,
    userInfo: objectType('kubernetes.UserInfo'),
    dryRun: boolType,
    options: dynType,
  },
  'kubernetes.NamespaceSpec': { finalizers: texts },
  'kubernetes.NamespaceCondition': {
    status: stringType,
    type: stringType,
    lastTransitionTime: timestampType,
    message: stringType,
    reason: stringType,
  },
  'kubernetes.NamespaceStatus': { conditions: listType(objectType('kubernetes.NamespaceCondition')), phase: stringType },
  'kubernetes.NamespaceMetadata': {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: textMap,
    annotations: textMap,
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: texts,
  },
  'kubernetes.Namespace': {
    metadata: objectType('kubernetes.NamespaceMetadata'),
    spec: objectType('kubernetes.NamespaceSpec'),
    status: objectType('kubernetes.NamespaceStatus'),
  },
};

const variablesType = 'kubernetes.variables';

const withPatches = {
  new: lazily(() => kubernetesEnvironment('new', { libraries: [jsonPatchLibrary] })),
  stored: lazily(() => kubernetesEnvironment('stored', { libraries: [jsonPatchLibrary] })),
};

/** The type of a variable that is dynamic to admission, for those who know what kind of object it will be. */
export interface KnownType {
  readonly type: Type;
  readonly types: TypeProvider;
}

export interface CompilerOptions {
  /** The expressions may name `variables`. */
  readonly composed: boolean;
  /** What `object` and `oldObject` are. */
  readonly object?: KnownType | undefined;
  readonly params?: KnownType | undefined;
}

/** Compiles the expressions of one policy, or of the match conditions of one webhook. Variables are known to what is compiled after them. */
export class AdmissionCompiler {
  readonly #options: CompilerOptions;
  readonly #variables = new Map<string, Type>();
  readonly #environments = new Map<string, Environment>();

  constructor(options: CompilerOptions) {
    this.#options = options;
  }

  /** What the checker has to say about an expression; undefined when it is fine. */
  problemsOf(expression: string, has: AdmissionVariables): string | undefined {
    const compiled = this.#environment(has, 'stored').compile(expression);
    return compiled.program === undefined && compiled.stage === 'check' ? compiled.text : undefined;
  }

  compile(expression: string, wanted: readonly Type[], has: AdmissionVariables, age: ExpressionAge): AdmissionCompilation {
    const compiled = this.#environment(has, age).compile(expression);
    const outputType = compiled.program === undefined ? compiled.outputType : compiled.program.outputType;
    if (outputType === undefined || wanted.length === 0 || wanted.some((type) => sameType(type, outputType))) {
      if (compiled.program !== undefined) return { program: compiled.program };
      return { error: refusalOf(compiled), isInternal: compiled.stage === 'plan' };
    }
    const [first] = wanted;
    const asked = wanted.length === 1 && first !== undefined ? typeToString(first) : `one of [${wanted.map(typeToString).join(' ')}]`;
    return { error: `must evaluate to ${asked} but got ${typeToString(outputType)}` };
  }

  /** A variable whose expression does not compile is known all the same, of any type: what names it is judged on. */
  compileVariable(name: string, expression: string, has: AdmissionVariables, age: ExpressionAge): AdmissionCompilation {
    const compiled = this.compile(expression, [], has, age);
    this.#variables.set(name, declaredType(compiled.program?.outputType));
    return compiled;
  }

  #environment({ params, authorizer, patches = false }: AdmissionVariables, age: ExpressionAge): Environment {
    const key = `${age} ${params} ${authorizer} ${patches}`;
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      const { object, composed } = this.#options;
      const variables = new Map<string, Type>([
        ['object', object?.type ?? dynType],
        ['oldObject', object?.type ?? dynType],
        ['request', objectType('kubernetes.AdmissionRequest')],
        ['namespaceObject', objectType('kubernetes.Namespace')],
        ...(params ? ([['params', this.#options.params?.type ?? dynType]] as const) : []),
        ...(authorizer
          ? ([
              ['authorizer', authorizerType],
              // Upstream's type checker does not know it.
              ...(object === undefined ? ([['authorizer.requestResource', resourceCheckType]] as const) : []),
            ] as const)
          : []),
        ...(composed ? ([['variables', objectType(variablesType)]] as const) : []),
      ]);
      environment = (patches ? withPatches[age]() : kubernetesEnvironment(age)).extend({ variables, types: this.#types(patches) });
      this.#environments.set(key, environment);
    }
    return environment;
  }

  #types(patches: boolean): TypeProvider {
    // They become more with every variable that is compiled.
    const variables: TypeProvider = {
      findType: (name) => (name === variablesType ? objectType(name) : undefined),
      findField: (name, field) => (name === variablesType ? this.#variables.get(field) : undefined),
    };
    const { object, params } = this.#options;
    const known = [object?.types, params?.types].filter((provider) => provider !== undefined);
    return objectTypes(types, variables, ...known, ...(patches ? [mutationTypes] : []));
  }
}

/** Values that only functions make (optionals, the authorizer) have no declared type. */
function declaredType(type: Type | undefined): Type {
  return type === undefined || type.kind === 'opaque' || type.name.startsWith('kubernetes.authorization.') ? dynType : type;
}

export type AdmissionCompilation =
  | { readonly program: Program; readonly error?: undefined }
  | {
      readonly program?: undefined;
      readonly error: string;
      /** The expression is fine as far as its types go, but no program could be made of it. */
      readonly isInternal?: boolean;
    };

function refusalOf(compiled: Compilation & { readonly program: undefined }): string {
  return `${compiled.stage === 'plan' ? 'program instantiation' : 'compilation'} failed: ${compiled.text}`;
}
