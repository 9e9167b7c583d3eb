// Read, change, write: again from the start when somebody else was faster.
import { ApiError } from '#api/api-error.ts';

const maxAttempts = 20;

export async function retryOnConflict<T>(attempt: () => Promise<T>, attempts = maxAttempts): Promise<T> {
  for (let left = attempts; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 409 && error.reason === 'Conflict') || left <= 1) throw error;
    }
  }
}
