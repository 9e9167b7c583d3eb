/** `cel.bind(name, value, body)`: cel-go's ext.Bindings, which Kubernetes' base environment does not include. */
import type { Library } from '../library.ts';
import { bind } from './fold.ts';

export const bindings: Library = {
  name: 'cel.lib.ext.cel.bindings',
  introduced: 0,
  functions: [],
  macros: [
    {
      name: 'bind',
      member: true,
      argumentCount: 3,
      expand: (expander, target, [name, value, body]) => {
        if (target?.kind !== 'ident' || target.name !== 'cel' || name === undefined || value === undefined || body === undefined) return undefined;
        if (name.kind !== 'ident') return expander.fail(name, 'cel.bind() variable names must be simple identifiers');
        return bind(expander, name.name, value, body);
      },
    },
  ],
};
