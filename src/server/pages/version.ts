// /version: which Kubernetes this server speaks. Clients parse it to learn what they may ask for.
import { withoutTrailing } from '#base/without-trailing.ts';
import { methodNotAllowed, noSuchPath } from '#api/api-error.ts';
import { sendJson } from '#server/answer/document.ts';
import type { Handler } from '#server/front/exchange.ts';
import { refuseUnproduced } from '#server/answer/negotiate.ts';

/** The build whose API level and behaviour this server matches, in its own words. */
export const kubernetesVersion = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.4',
  gitCommit: 'bb826b1d4856',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
};

/** `platform` as Go names it: linux/amd64. */
export function versionHandler(platform: string): Handler {
  return async (exchange) => {
    if (withoutTrailing(exchange.info.path, '/') !== '/version') throw noSuchPath();
    if (exchange.method !== 'GET') throw methodNotAllowed();
    refuseUnproduced(exchange.headers, ['application/json']);
    sendJson(exchange, 200, { ...kubernetesVersion, platform });
  };
}
