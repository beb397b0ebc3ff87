// Types: the error for schemas.

/** A schema whose type JSON cannot represent; the message contains the remedy. */
export class SchemaTypeError extends Error {
  override readonly name: string = 'SchemaTypeError';
  /** Whether the schema takes no value of JSON at all, as `z.void()` does. */
  hasNoValue = false;
}
