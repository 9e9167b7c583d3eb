/** Of proxies, as upstream's ConnectMethods has them. */
export const proxyMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Of shells and forwarded ports: GET is for browsers, which can open a WebSocket in no other way. */
export const upgradingMethods: readonly string[] = ['GET', 'POST'];
