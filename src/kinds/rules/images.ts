// References to container images: only what decides the default pull policy.

const host = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?';
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const reference = new RegExp(
  `^(?:${host}/)?(${component}(?:/${component})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@([A-Za-z0-9+._-]+:[0-9A-Fa-f]{32,}))?$`,
);
const digest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const identifier = /^[a-f0-9]{64}$/;

/** Always for a moving tag; a text that is no reference counts as pinned, as it does upstream. */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  return tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** `latest` when neither tag nor digest is given; undefined when there is only a digest, or when the text is no reference. */
function tagOf(image: string): string | undefined {
  if (identifier.test(image)) return undefined;
  const match = reference.exec(normalized(image));
  if (match === null) return undefined;
  const [, path = '', tag, digestText] = match;
  if (path.length > 255 || (digestText !== undefined && !digest.test(digestText))) return undefined;
  return tag ?? (digestText === undefined ? 'latest' : undefined);
}

/** `nginx:1` is `docker.io/library/nginx:1`: without this, the tag would read as the port of a host. */
function normalized(image: string): string {
  const slash = image.indexOf('/');
  if (slash < 0) return `docker.io/library/${image}`;
  const first = image.slice(0, slash);
  const isHost = first === 'localhost' || /[.:]/.test(first) || first !== first.toLowerCase();
  return isHost ? image : `docker.io/${image}`;
}
