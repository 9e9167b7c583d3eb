import { ApiError } from '#api/api-error.ts';

/** The namespace is being deleted: nothing can be created in it any more, and nothing needs to be. */
export function isNamespaceEnding(error: unknown): boolean {
  return error instanceof ApiError && error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
