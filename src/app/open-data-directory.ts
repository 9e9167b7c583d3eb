// The data directory belongs to one server: it is claimed, by opening its store, before anything is written into it.
import { hostname } from 'node:os';
import { type Certificates, ensureCertificates } from '#app/certificates/certificates.ts';
import { type LiveCertificates, openCertificates } from '#app/certificates/live-certificates.ts';
import { type OpenedStore, type OpenStore, openStore, type StoreKind } from '#app/open-store.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Clock } from '#base/clock.ts';
import { Places } from '#store/places.ts';

export interface DataDirectory extends OpenedStore {
  readonly certificates: Certificates;
  readonly live: LiveCertificates;
}

/** `open`: another way to the store than the flags say. */
export async function openDataDirectory(kind: StoreKind, options: ServerOptions, clock: Clock, open: OpenStore = openStore): Promise<DataDirectory> {
  const opened = await open(kind, options, clock);
  try {
    const certificates = await ensureCertificates(options, hostname(), clock.now());
    return { ...opened, certificates, live: await openCertificates(options) };
  } catch (problem) {
    await new Places(opened.store, opened.placements).close();
    throw problem;
  }
}
