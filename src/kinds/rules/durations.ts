import { DurationError, parseDuration } from '#schema/duration.ts';

/** What Go's time.ParseDuration says about a text that is no duration. */
export function durationProblem(text: string): string | undefined {
  try {
    parseDuration(text);
    return undefined;
  } catch (error) {
    if (error instanceof DurationError) return error.message;
    throw error;
  }
}
