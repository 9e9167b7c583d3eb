// `/apis` and `/apis/<group>` while other servers serve groups: made of the APIServices there are, whether their servers can be reached or not.
import type { ApiServices } from '#aggregation/api-services.ts';
import type { APIGroup } from '#kinds/meta/v1/discovery.ts';
import { sendDocument } from '#server/answer/document.ts';
import { negotiate, plainOffer } from '#server/answer/negotiate.ts';
import type { Exchange } from '#server/front/exchange.ts';

type Schemas = Readonly<Record<'apiGroup' | 'apiGroupList', Parameters<typeof sendDocument>[1]['schema']>>;

/** The aggregator's own group has no APIService and comes first. */
const own = groupOf('apiregistration.k8s.io', ['v1']);

/** False for a group of which no APIService tells, and for a client that wants the aggregated form. */
export function groupDiscovery(apiServices: ApiServices, schemas: Schemas): (exchange: Exchange, parts: readonly string[]) => Promise<boolean> {
  return async (exchange, [group]) => {
    const groups = apiServices.groups();
    if (group !== undefined) {
      const versions = groups.get(group);
      if (versions === undefined) return false;
      await send(exchange, { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, versions) }, schemas.apiGroup);
      return true;
    }
    if (String(exchange.headers['accept'] ?? '').includes('APIGroupDiscoveryList')) return false;
    const all = [own, ...[...groups].map(([name, versions]) => groupOf(name, versions))];
    await send(exchange, { kind: 'APIGroupList', apiVersion: 'v1', groups: all }, schemas.apiGroupList);
    return true;
  };
}

function groupOf(name: string, versions: readonly string[]): APIGroup {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] ?? { groupVersion: '', version: '' } };
}

function send(exchange: Exchange, object: object, schema: Schemas['apiGroup']): Promise<void> {
  return sendDocument(exchange, { code: 200, object, schema }, negotiate(exchange, plainOffer));
}
