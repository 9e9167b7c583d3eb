export interface RealDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
  };
}
export function realDefinitions(only?: string): readonly RealDefinition[];
