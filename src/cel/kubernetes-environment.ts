// The environments in which Kubernetes 1.36 compiles expressions: apiserver's pkg/cel/environment. What a user of the language adds (variables, types, further
// libraries) extends one of them.
import { lazily } from '#base/lazily.ts';
import { kubernetesCallCosts } from '#cel/cost/kubernetes-call-costs.ts';
import { Environment } from '#cel/environment.ts';
import { authorizerLibrary, authorizerSelectorsLibrary } from '#cel/library/authorizer.ts';
import { cidrLibrary } from '#cel/library/cidr.ts';
import { formatLibrary } from '#cel/library/format.ts';
import { ipLibrary } from '#cel/library/ip.ts';
import { listExtension } from '#cel/library/list-extension.ts';
import { listsLibrary } from '#cel/library/lists.ts';
import { quantityLibrary } from '#cel/library/quantity.ts';
import { regexLibrary } from '#cel/library/regex.ts';
import { semverLibrary } from '#cel/library/semver.ts';
import { setsLibrary } from '#cel/library/sets.ts';
import { stringsLibrary } from '#cel/library/strings.ts';
import { urlLibrary } from '#cel/library/url.ts';
import { type Library, librariesKnownTo } from '#cel/library.ts';
import { twoVariableComprehensions } from '#cel/macro/two-variable-macros.ts';
import { optionals } from '#cel/standard/optionals.ts';
import { standardLibrary } from '#cel/standard/standard-library.ts';

/**
 * Whether an expression is being written or was stored before. A new one may use what a server one minor version older understands too, so that a rollback
 * stays possible; a stored one may use everything there is.
 */
export type ExpressionAge = 'new' | 'stored';

export interface KubernetesEnvironmentOptions {
  /** Minor version that new expressions must be understood by; one behind the server's unless told otherwise. */
  readonly compatibilityMinor?: number;
  /** Libraries of one user of the language, e.g. jsonpatch of mutating policies. */
  readonly libraries?: readonly Library[];
}

const serverMinor = 36;

const baseLibraries: readonly Library[] = [
  standardLibrary,
  urlLibrary,
  regexLibrary,
  listsLibrary,
  authorizerLibrary,
  optionals,
  quantityLibrary,
  stringsLibrary,
  setsLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  authorizerSelectorsLibrary,
  twoVariableComprehensions,
  semverLibrary,
  listExtension,
];

/** Without variables; callers extend it once per set of variables, not per expression. */
export function kubernetesEnvironment(age: ExpressionAge, options?: KubernetesEnvironmentOptions): Environment {
  return options === undefined ? plain[age]() : environmentFor(age, options);
}

/** Environments are immutable: all servers of a process share these. */
const plain: Readonly<Record<ExpressionAge, () => Environment>> = {
  new: lazily(() => environmentFor('new', {})),
  stored: lazily(() => environmentFor('stored', {})),
};

function environmentFor(age: ExpressionAge, options: KubernetesEnvironmentOptions): Environment {
  const minor = age === 'stored' ? Number.POSITIVE_INFINITY : (options.compatibilityMinor ?? serverMinor - 1);
  const libraries = librariesKnownTo(minor, [...baseLibraries, ...(options.libraries ?? [])]);
  return new Environment({ libraries, variables: new Map(), costs: kubernetesCallCosts });
}
