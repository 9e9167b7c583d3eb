/** The standard functions, macros and type names of the language. */
import type { Library } from '../library.ts';
import { standardMacros } from '../macro/standard-macros.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../type.ts';
import { arithmetic } from './arithmetic.ts';
import { comparisons } from './comparison.ts';
import { builtInOperators, containerFunctions } from './containers.ts';
import { conversions } from './conversion.ts';
import { textFunctions } from './text.ts';
import { timeFunctions } from './time-functions.ts';

export const standardLibrary: Library = {
  name: 'cel.lib.std',
  introduced: 0,
  functions: [...builtInOperators, ...arithmetic, ...comparisons, ...containerFunctions, ...conversions, ...textFunctions, ...timeFunctions],
  macros: standardMacros,
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listType(dynType),
    mapType(dynType, dynType),
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
  ],
};
