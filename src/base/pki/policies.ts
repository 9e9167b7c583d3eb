// Certificate policies along a chain (RFC 5280 section 6.1 with the graph of RFC 9618), asked for nothing in particular:
// a chain is refused only where one of its authorities demands a policy and none holds from it down to the leaf.
import type { Certificate } from '#base/pki/certificate.ts';

/** 2.5.29.32.0 */
const anyPolicy = '551d2000';

interface Node {
  readonly policy: string;
  expected: readonly string[];
  readonly parents: readonly Node[];
  children: number;
}

/** One level for each certificate that was looked at, the trust anchor's first. */
type Level = Map<string, Node>;

interface State {
  /** Undefined: no policy is valid any more. */
  levels: Level[] | undefined;
  /** How many more certificates may come before each rule is in force; 0: it is. */
  explicit: number;
  mapping: number;
  any: number;
}

/** `chain` starts with the leaf and ends with the trust anchor, which is not judged. */
export function policiesAllow(chain: readonly Certificate[]): boolean {
  const count = chain.length - 1;
  if (count === 0) return true;
  const root: Node = { policy: anyPolicy, expected: [anyPolicy], parents: [], children: 0 };
  const state: State = { levels: [new Map([[anyPolicy, root]])], explicit: count + 1, mapping: count + 1, any: count + 1 };
  for (let index = count - 1; index >= 0; index--) {
    const certificate = chain[index];
    if (certificate === undefined || !advance(state, certificate, index === 0)) return false;
  }
  return chain[0]?.policies.requireExplicit === 0 || state.explicit <= 1 ? hasValidPolicy(state.levels) : true;
}

function advance(state: State, certificate: Certificate, isLeaf: boolean): boolean {
  const isSelfIssued = certificate.rawIssuer.equals(certificate.rawSubject);
  if (certificate.policies.policies.length === 0) state.levels = undefined;
  if (state.explicit === 0 && state.levels === undefined) return false;
  if (state.levels !== undefined) {
    addLevel(state.levels, certificate, state.any > 0 || (!isLeaf && isSelfIssued));
    if (!isLeaf && !applyMappings(state.levels, certificate, state.mapping > 0)) return false;
  }
  if (!isLeaf) countDown(state, certificate, isSelfIssued);
  return true;
}

function addLevel(levels: Level[], { policies: { policies } }: Certificate, anyCounts: boolean): void {
  const above = levels.at(-1) ?? new Map<string, Node>();
  const level: Level = new Map();
  const expecting = new Map<string, Node[]>();
  for (const node of above.values()) for (const policy of node.expected) expecting.set(policy, [...(expecting.get(policy) ?? []), node]);
  const anyAbove = above.get(anyPolicy);
  for (const policy of policies) {
    const parents = expecting.get(policy) ?? (anyAbove === undefined ? [] : [anyAbove]);
    if (policy !== anyPolicy && parents.length > 0) insert(level, policy, parents);
  }
  if (policies.includes(anyPolicy) && anyCounts) {
    for (const [policy, parents] of expecting) if (!level.has(policy)) insert(level, policy, parents);
  }
  levels.push(level);
  prune(levels);
}

function insert(level: Level, policy: string, parents: readonly Node[], expected: readonly string[] = [policy]): void {
  for (const parent of parents) parent.children++;
  level.set(policy, { policy, expected, parents, children: 0 });
}

function remove(level: Level, node: Node): void {
  for (const parent of node.parents) parent.children--;
  level.delete(node.policy);
}

/** Between the anchor and the last level, policies without anything below them go. */
function prune(levels: readonly Level[]): void {
  for (let index = levels.length - 2; index > 0; index--) {
    const level = levels[index] ?? new Map<string, Node>();
    for (const node of level.values()) if (node.children === 0) remove(level, node);
  }
}

/** False for a mapping from or to any policy. */
function applyMappings(levels: readonly Level[], { policies: { mappings } }: Certificate, mayMap: boolean): boolean {
  const level = levels.at(-1) ?? new Map<string, Node>();
  const subjects = new Map<string, string[]>();
  for (const { issuer, subject } of mappings) {
    if (mayMap && (issuer === anyPolicy || subject === anyPolicy)) return false;
    if (mayMap) subjects.set(issuer, [...(subjects.get(issuer) ?? []), subject]);
    else {
      const node = level.get(issuer);
      if (node !== undefined) remove(level, node);
    }
  }
  if (mappings.length > 0) prune(levels);
  for (const [issuer, expected] of subjects) {
    const node = level.get(issuer);
    const any = level.get(anyPolicy);
    if (node !== undefined) node.expected = expected;
    else if (any !== undefined) insert(level, issuer, [any], expected);
  }
  return true;
}

function countDown(state: State, { policies }: Certificate, isSelfIssued: boolean): void {
  const step = isSelfIssued ? 0 : 1;
  const next = (left: number, wanted: number | undefined) => {
    const rest = Math.max(0, left - step);
    return wanted !== undefined && wanted >= 0 ? Math.min(rest, wanted) : rest;
  };
  state.explicit = next(state.explicit, policies.requireExplicit);
  state.mapping = next(state.mapping, policies.inhibitMapping);
  state.any = next(state.any, policies.inhibitAny);
}

/** A policy that hangs on "any" of its authority alone, on whichever level, or "any" itself at the end. */
function hasValidPolicy(levels: readonly Level[] | undefined): boolean {
  if (levels === undefined) return false;
  if (levels.at(-1)?.has(anyPolicy)) return true;
  return levels.some((level) =>
    [...level.values()].some(({ policy, parents }) => policy !== anyPolicy && parents.length === 1 && parents[0]?.policy === anyPolicy),
  );
}
