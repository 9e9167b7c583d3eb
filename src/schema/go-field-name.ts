// The Go names of fields, of the structs in a pod template: their JSON names with a capital letter, but for abbreviations and old names.
const abbreviations: Readonly<Record<string, string>> = {
  api: 'API',
  aws: 'AWS',
  csi: 'CSI',
  dns: 'DNS',
  fc: 'FC',
  fs: 'FS',
  gce: 'GCE',
  gmsa: 'GMSA',
  grpc: 'GRPC',
  http: 'HTTP',
  ip: 'IP',
  iqn: 'IQN',
  iscsi: 'ISCSI',
  nfs: 'NFS',
  os: 'OS',
  rbd: 'RBD',
  ssl: 'SSL',
  tcp: 'TCP',
  tty: 'TTY',
  uid: 'UID',
};

const otherNames: Readonly<Record<string, string>> = {
  metadata: 'ObjectMeta',
  pdName: 'PDName',
  cephfs: 'CephFS',
  storageos: 'StorageOS',
  wwids: 'WWIDs',
  seLinuxChangePolicy: 'SELinuxChangePolicy',
  seLinuxOptions: 'SELinuxOptions',
};

const namesIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AzureDiskVolumeSource: { diskURI: 'DataDiskURI' },
  GlusterfsVolumeSource: { endpoints: 'EndpointsName' },
  ISCSIVolumeSource: { chapAuthDiscovery: 'DiscoveryCHAPAuth', chapAuthSession: 'SessionCHAPAuth' },
  PodSpec: { serviceAccount: 'DeprecatedServiceAccount' },
  RBDVolumeSource: { image: 'RBDImage', monitors: 'CephMonitors', pool: 'RBDPool', user: 'RadosUser' },
};

/** `struct` is the bare Go name of the struct that has the field. */
export function goFieldName(struct: string, name: string): string {
  return namesIn[struct]?.[name] ?? otherNames[name] ?? withAbbreviation(name) ?? `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

function withAbbreviation(name: string): string | undefined {
  const first = /^[a-z]+/.exec(name)?.[0] ?? '';
  const long = abbreviations[first];
  return long && long + name.slice(first.length);
}
