/** What the operations of the language cost: the constants of cel-go's common/cost.go. */
export const selectCost = 1;
export const listCreateCost = 10;
export const mapCreateCost = 30;
export const structCreateCost = 40;
/** Per code point or byte that is looked at. */
export const traversalFactor = 0.1;
/** Per character of a pattern: about four make one state. */
export const regexLengthFactor = 0.25;
