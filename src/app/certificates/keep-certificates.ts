// While the server runs: files that changed count for new connections, and our own certificates are renewed before they end.
import type { Aggregation } from '#app/aggregation.ts';
import type { Certificates } from '#app/certificates/certificates.ts';
import { writeAdminKubeconfig } from '#app/certificates/kubeconfig.ts';
import { allOf, type LiveCertificates, renewCertificates } from '#app/certificates/live-certificates.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { buildTls } from '#app/certificates/tls-options.ts';
import type { Clock } from '#base/clock.ts';
import { followFiles } from '#base/live-value.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import type { Listener } from '#server/front/listen.ts';

export interface KeepParts {
  readonly options: ServerOptions;
  readonly certificates: Certificates;
  readonly live: LiveCertificates;
  readonly listeners: readonly Listener[];
  readonly aggregation: Pick<Aggregation, 'apiServices'>;
  /** Called when other authorities count than before. */
  readonly onAuthorities: () => void;
  readonly url: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export function keepCertificates(parts: KeepParts): void {
  const { options, certificates, live, listeners, aggregation, onAuthorities, url, log } = parts;
  followFiles(allOf(live), {
    ...parts,
    onRefreshed: (value, refreshed) => {
      const { files } = value;
      if (refreshed.outcome === 'refused') return log.error('certificates could not be reloaded', problemText(refreshed.problem), { files });
      log.info('certificates were reloaded', { files });
      if (value === live.proxyClient) return aggregation.apiServices.renewConnections();
      for (const listener of listeners) listener.setCertificates(buildTls(options, live));
      onAuthorities();
    },
  });
  void renewCertificates(options, certificates, { ...parts, onRenewed: (next) => writeAdminKubeconfig(options, next, url) });
}

/** Without a stack, and never with what the file holds. */
function problemText(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
