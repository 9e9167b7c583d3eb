// What releases of etcd can do.

/** Says how far a watch is when it is asked, and not more than that. The same releases as apiserver's feature support checker trusts. */
export function tellsProgress(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major !== 3 || minor > 5) return major >= 3;
  if (minor === 5) return patch >= 13;
  return minor === 4 && patch >= 31;
}
