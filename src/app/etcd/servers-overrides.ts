// --etcd-servers-overrides: `group/resource#servers`, where servers are URLs with semicolons between them and the resource may be `*`.
import { FlagError } from '#app/flags/flags.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';

export interface ServersOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

/** In the words of the original. */
const form = '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated';

export function serversOverrides(texts: readonly string[]): readonly ServersOverride[] {
  return texts.map((text) => {
    const [name = '', list = '', ...more] = text.split('#');
    const [group = '', resource, ...deeper] = name.split('/');
    const servers = list.split(';');
    if (more.length > 0 || deeper.length > 0 || resource === undefined || servers.includes('')) throw new FlagError(form);
    return { group, resource, servers };
  });
}

/** Groups whose objects the original keeps in --etcd-servers whatever it is told: they belong to servers of their own in its process. */
const never = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** The original takes no notice of resources that it does not have, custom ones and those of `never`: an operator would believe that they lie elsewhere. */
export function refuseUnknown(overrides: readonly ServersOverride[]): void {
  for (const { group, resource } of overrides) {
    const isBuiltIn = builtinResources.some((one) => one.group === group && (resource === '*' || one.plural === resource));
    if (!isBuiltIn || never.has(group)) throw new FlagError(`--etcd-servers-overrides: ${group}/${resource}: only built-in resources can lie in another etcd`);
  }
}
