// Loads the descriptions of kinds and fields. They are read for OpenAPI only, so nothing imports them at start.
import type { Descriptions } from '#schema/openapi.ts';

export async function loadDescriptions(): Promise<Descriptions> {
  return { '': {} };
}
