/** Marks a request that a peer has passed on: it is answered here, or not at all. */
export const peerProxiedHeader = 'x-kubernetes-peer-proxied';
