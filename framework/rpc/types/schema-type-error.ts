// Types: the error for schemas.

/** A schema that has no form on the wire; the message holds the remedy. */
export class SchemaTypeError extends Error {
  override readonly name: string = 'SchemaTypeError';
}
