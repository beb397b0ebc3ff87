// Schemas in the place of options.

/** Whether a value is a Standard Schema, and not an object of schemas. */
export function isStandard(value: unknown): boolean {
  const standard = (value as { readonly '~standard'?: { readonly validate?: unknown } } | null | undefined)?.[
    '~standard'
  ];
  return typeof standard?.validate === 'function';
}
