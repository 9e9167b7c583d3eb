// Fills the Secrets that ask for the token of a service account, deletes them with their account, and takes the name of a Secret that has gone
// out of its account.
import { ApiError } from '#api/api-error.ts';
import { type ChangeType, type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { RestClient } from '#client/rest-client.ts';
import { retryOnConflict } from '#client/retry-on-conflict.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import {
  accountOf,
  type AccountReference,
  filledSecret,
  isAccount,
  isTokenSecret,
  secrets,
  serviceAccounts,
  type StoredAccount,
  type StoredSecret,
  type TokenContents,
} from '#controllers/service-accounts/token-secret.ts';

export interface TokenControllerOptions extends LoopParts, TokenContents {
  readonly client: RestClient;
  readonly sources: Sources;
}

/** --concurrent-serviceaccount-token-syncs */
const workers = 5;
const retry = { firstMs: 5, maxMs: 60_000 };

/** Keys are those of the Secrets. */
export function tokenController(options: TokenControllerOptions): Controller {
  return new TokenKeeping(options).controller;
}

class TokenKeeping {
  readonly controller: Controller;
  readonly #options: TokenControllerOptions;
  readonly #secrets: Source<StoredSecret>;
  readonly #accounts: Source<StoredAccount>;
  /** Of each Secret that was seen, so that its account is known when it has gone. */
  readonly #accountOf = new Map<string, AccountReference>();

  constructor(options: TokenControllerOptions) {
    this.#options = options;
    this.#secrets = options.sources.of(secrets);
    this.#accounts = options.sources.of(serviceAccounts);
    const sources = [keysOf(this.#secrets, (item, type) => this.#learn(item, type)), keysOf(this.#accounts, (item) => this.#tokensOf(item))];
    this.controller = controller({ ...options, name: 'serviceaccount_tokens_service', sources, workers, retry, reconcile: (key) => this.#look(key) });
  }

  #learn(item: SourceItem<StoredSecret>, type: ChangeType): readonly string[] {
    if (!isTokenSecret(item)) return [];
    const key = sourceKey(item);
    if (type !== 'DELETED') this.#accountOf.set(key, accountOf(item.object));
    return [key];
  }

  #tokensOf({ namespace, name }: SourceItem<StoredAccount>): readonly string[] {
    const tokens = this.#secrets.list(namespace).filter((item) => isTokenSecret(item) && accountOf(item.object).name === name);
    return tokens.map(sourceKey);
  }

  async #look(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const { client } = this.#options;
    const item = this.#secrets.get(namespace, name);
    if (item === undefined || !isTokenSecret(item)) return await this.#forget(key);
    const secret = item.object;
    const account = await this.#liveAccount(namespace, accountOf(secret));
    const { uid } = secret.metadata;
    if (account === undefined) return void (await unlessOvertaken(client.delete(secrets, namespace, name, { preconditions: { uid } })));
    const filled = filledSecret(secret, account, this.#options);
    if (filled !== undefined) await unlessOvertaken(client.update(secrets, filled));
  }

  /** The source may be late: an account counts as gone only when the server says so. */
  async #liveAccount(namespace: string, reference: AccountReference): Promise<StoredAccount | undefined> {
    const known = this.#accounts.get(namespace, reference.name)?.object;
    if (isAccount(known, reference)) return known;
    const live = await this.#options.client.find<StoredAccount>(serviceAccounts, namespace, reference.name);
    return isAccount(live, reference) ? live : undefined;
  }

  async #forget(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const { client } = this.#options;
    const reference = this.#accountOf.get(key);
    this.#accountOf.delete(key);
    if (reference === undefined) return;
    await retryOnConflict(async () => {
      const account = await client.find<StoredAccount>(serviceAccounts, namespace, reference.name);
      if (account === undefined || !isAccount(account, reference) || !account.secrets?.some((secret) => secret.name === name)) return;
      await unlessMissing(client.update(serviceAccounts, { ...account, secrets: account.secrets.filter((secret) => secret.name !== name) }));
    });
  }
}

async function unlessMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
