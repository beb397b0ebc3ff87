// The client: the name of a procedure as a member of a class or an interface.

/** In quotes, unless it is an identifier. */
export function memberName(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name) ? name : JSON.stringify(name);
}
