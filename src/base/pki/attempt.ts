import { MalformedError } from '#base/pki/der-reader.ts';

export type Attempt<Value> = { readonly value: Value; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: string };

/** What was parsed, or what is wrong with it, for those to whom that is no exception. */
export function attempt<Value>(parse: () => Value): Attempt<Value> {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof MalformedError) return { problem: error.message };
    throw error;
  }
}
