/** What becomes of unknown and repeated fields in a body: they are dropped in silence, named in warnings, or refused. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
