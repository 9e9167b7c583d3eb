// Which pods name which claims and templates. Only pods that name any are kept, and no other pod is parsed.
import { type SourceItem, splitKey } from '#api/source.ts';
import { namedClaimsOf, type StoredPod } from '#controllers/resource-claims/pod-claims.ts';

interface Use {
  readonly claims: readonly string[];
  readonly templates: readonly string[];
}

const paths = [
  ['spec', 'resourceClaims'],
  ['status', 'extendedResourceClaimStatus'],
].map((path) => path.map((name) => Buffer.from(name)));

export class ClaimUsers {
  readonly #uses = new Map<string, Use>();

  mayUse(item: SourceItem<StoredPod>): boolean {
    return paths.some((path) => item.valueAt(path) !== undefined);
  }

  set(key: string, pod: StoredPod | undefined): void {
    if (pod === undefined) return void this.#uses.delete(key);
    const templates = (pod.spec?.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName }) => resourceClaimTemplateName ?? []);
    this.#uses.set(key, { claims: namedClaimsOf(pod), templates });
  }

  pods(): readonly string[] {
    return [...this.#uses.keys()];
  }

  claimsOf(key: string): readonly string[] {
    return this.#uses.get(key)?.claims ?? [];
  }

  /** Keys of the pods that name a claim. */
  ofClaim(claim: string): readonly string[] {
    return this.#keys(claim, ({ claims }) => claims);
  }

  ofTemplate(template: string): readonly string[] {
    return this.#keys(template, ({ templates }) => templates);
  }

  #keys(wanted: string, of: (use: Use) => readonly string[]): readonly string[] {
    const { namespace, name } = splitKey(wanted);
    return [...this.#uses].flatMap(([key, use]) => (splitKey(key).namespace === namespace && of(use).includes(name) ? [`pod:${key}`] : []));
  }
}
