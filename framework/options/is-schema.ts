// Schemas among other values: options and arguments may be one by mistake.

/** The part of a Standard Schema (standardschema.dev) that tells it from an object of schemas. */
interface SchemaLike {
  readonly '~standard': { readonly validate: (value: unknown) => unknown };
}

/** Whether a value is a Standard Schema, and not an object of schemas. */
export function isSchema(value: unknown): value is SchemaLike {
  return typeof (value as Partial<SchemaLike> | null | undefined)?.['~standard']?.validate === 'function';
}
