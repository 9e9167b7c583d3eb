// Schemas and versions as the original prints them in messages: with the names of its internal types.
import type { CustomResourceDefinitionVersion } from '#kinds/apiextensions/v1/custom-resource-definition.ts';

/** Only what is not moved to the top of the definition; that is where equal parts stand internally. */
export function versionForm(version: CustomResourceDefinitionVersion): object {
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema ?? null,
    Subresources: version.subresources ?? null,
    AdditionalPrinterColumns: version.additionalPrinterColumns ?? null,
    SelectableFields: version.selectableFields ?? null,
  };
}
