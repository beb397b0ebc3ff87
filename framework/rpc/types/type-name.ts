// Types: names that are made of other names.

/** `user.getAll` becomes `UserGetAll`; a name that no type can have begins with `Procedure`. */
export function procedureTypeName(procedure: string): string {
  const name = capitalized(procedure);
  return /^[A-Z]/.test(name) ? name : `Procedure${name}`;
}

/** Its words, each with a capital, without what stands between them. */
export function capitalized(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
