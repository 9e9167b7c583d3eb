// A port: the OpenAPI documents of other servers that stand beside our own.
import type { Handler } from '#server/front/exchange.ts';
import type { Swagger } from '#server/openapi/merge-swagger.ts';

export interface RemoteDocuments {
  /** Grows with every change of what the others tell. */
  readonly revision: number;
  /** What the index of OpenAPI 3 shows: names of documents and where clients find them, or the text of those that are served here. */
  index(): ReadonlyMap<string, { readonly serverRelativeURL: string } | { readonly text: string }>;
  /** Who answers for a document of OpenAPI 3: `owner` before our own documents, `other` for names that nobody here has. */
  find(name: string, as: 'owner' | 'other'): RemoteDocument | undefined;
  /** Of Swagger 2.0, each with the paths of one APIService, in the order in which they are merged. */
  swaggers(): readonly Swagger[];
}

/** `made`: of the Swagger of a server that has no OpenAPI 3. */
export type RemoteDocument = { readonly is: 'served'; readonly serve: Handler } | { readonly is: 'made'; readonly text: string };

export const noRemoteDocuments: RemoteDocuments = { revision: 0, index: () => new Map(), find: () => undefined, swaggers: () => [] };
