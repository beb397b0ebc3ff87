// Types: names that are derived from other names.

/** `user.getAll` becomes `UserGetAll`; a name that a type cannot have gets the prefix `Procedure`. */
export function procedureTypeName(procedure: string): string {
  const name = capitalized(procedure);
  return /^[A-Z]/.test(name) ? name : `Procedure${name}`;
}

/** The name of the type that a client declares for the errors of a procedure. */
export function errorTypeName(procedure: string): string {
  return `${procedureTypeName(procedure)}Error`;
}

/** The words of the name, each capitalized, without separators. */
export function capitalized(text: string): string {
  const words = text.split(/[^A-Za-z0-9]/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
