// --cluster-cidr with the sizes of what a node gets of it, refused as kube-controller-manager refuses it.
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import { type IpNetwork, parseCidrSloppy } from '#base/ip-address.ts';

export interface ClusterNetwork {
  readonly network: IpNetwork;
  readonly nodePrefix: number;
}

const defaultPrefixes = { 4: 24, 6: 64 } as const;

/** None without the flag. */
export function clusterNetworks(flags: FlagValues): readonly ClusterNetwork[] {
  const text = flags.text('cluster-cidr').trim();
  if (text === '') return [];
  const networks = text.split(',').map((cidr) => networkOf(cidr.trim()));
  if (networks.length > 2)
    throw new FlagError('--cluster-cidr: length of clusterCIDRs is:%d more than max allowed of 2'.replace('%d', String(networks.length)));
  if (networks.length === 2 && networks[0]?.base.family === networks[1]?.base.family)
    throw new FlagError('len of clusters is:2 > 1 and they are not dual stack');
  return networks.map((network) => ({ network, nodePrefix: prefixOf(flags, network, networks.length > 1) }));
}

function networkOf(text: string): IpNetwork {
  const network = parseCidrSloppy(text);
  if (network === undefined) throw new FlagError(`--cluster-cidr: invalid CIDR address: ${text}`);
  return network;
}

function prefixOf(flags: FlagValues, { base: { family }, prefix }: IpNetwork, isDualStack: boolean): number {
  const [common, own] = [flags.number('node-cidr-mask-size'), flags.number(`node-cidr-mask-size-ipv${family}`)];
  if (isDualStack && common !== 0) throw new FlagError('usage of --node-cidr-mask-size is not allowed with dual-stack clusters');
  const chosen = common || own || defaultPrefixes[family];
  if (chosen < prefix)
    throw new FlagError(
      'Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than or equal to --node-cidr-mask-size configured for CIDR family',
    );
  return chosen;
}
