// Fuzzing: what must hold, by the names that failures have. It imports nothing, as it is a public type.

/** What a check is about; it is named in a failure. */
export type FuzzCheck =
  | 'server error'
  | 'no answer'
  | 'access'
  | 'undeclared status'
  | 'undeclared body'
  | 'undeclared field'
  | 'invalid input'
  | 'HEAD'
  | 'missing token'
  | 'other users'
  | 'resource'
  | 'internals'
  | 'secret'
  | 'markup'
  | 'redirect'
  | 'header split'
  | 'shared cache'
  | 'foreign origin'
  | 'prototype'
  | 'unhandled rejection'
  | 'not alive';

export interface Finding {
  readonly check: FuzzCheck;
  readonly message: string;
}
