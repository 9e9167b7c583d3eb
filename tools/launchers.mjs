// The programs that a build makes are scripts for sh: it is there in a millisecond, where node takes forty, and it can give node flags.

/** Runs a script of the build with node. `script`: seen from the folder in which the program really is, whatever link led there. */
export function launcher({ script, flags = [], help }) {
  return `#!/bin/sh
# Made by tools/build.mjs.
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=\${self%/*}/$link ;;
  esac
done
case $self in
  */*) here=\${self%/*} ;;
  *) here=. ;;
esac
${help === undefined ? '' : `if [ "$#" = 1 ] && [ "$1" = --help ]; then exec cat "$here/${help}"; fi\n`}# node must not read the authorities of the system before the program needs them: src/base/outgoing/authorities.ts
export BINNACLE_SSL_CERT_FILE="\${SSL_CERT_FILE-}" BINNACLE_NODE_EXTRA_CA_CERTS="\${NODE_EXTRA_CA_CERTS-}" SSL_CERT_FILE=/dev/null
unset NODE_EXTRA_CA_CERTS
# glibc raises its thresholds with each large buffer that is freed, and then keeps what it gets: docs/decisions/0010-memory-when-idle.md
export MALLOC_MMAP_THRESHOLD_="\${MALLOC_MMAP_THRESHOLD_-262144}" MALLOC_TRIM_THRESHOLD_="\${MALLOC_TRIM_THRESHOLD_-524288}"
exec node --use-openssl-ca ${[...flags, `"$here/${script}"`].join(' ')} "$@"
`;
}
