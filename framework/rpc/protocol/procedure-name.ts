// The names that procedures may have. Generators read this too, so that it imports nothing.

/** Names that have a meaning in the generated client or in JavaScript, with the reason. */
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['batch', 'it is the method of the generated client that sends batches'],
  ['notify', 'it is the method of the generated client that sends notifications'],
  ['constructor', 'every class has a constructor already'],
  ['then', 'awaiting the client would call it'],
  ['toString', 'JavaScript calls it on every object'],
  ['valueOf', 'JavaScript calls it on every object'],
  ['toJSON', 'JSON.stringify calls it on every object'],
  ['__proto__', 'in JavaScript it refers to the prototype of an object'],
]);

/** Methods of the client itself: a group may have procedures of these names. */
const OF_CLIENT: ReadonlySet<string> = new Set(['batch', 'notify']);

const LONGEST = 200;

/**
 * The groups that a name is in: `admin` and `admin.users` for `admin.users.list`. None if a part between dots is not
 * an identifier: then the client has a method of the whole name.
 */
export function groupsOf(name: string): readonly string[] {
  const groups: string[] = [];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    groups.push(name.slice(0, dot));
  return groups.length > 0 && name.split('.').every(isIdentifier) ? groups : [];
}

/** Whether it can stand after a dot in JavaScript. */
export function isIdentifier(text: string): boolean {
  // Most names are ASCII, and the properties of Unicode take a millisecond of a start to compile.
  if (/^[A-Za-z$_][\w$]*$/.test(text)) return true;
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(text);
}

/** Why a procedure may not have the name, and what to do; undefined if it may. */
export function nameProblem(name: string): string | undefined {
  const shown = JSON.stringify(name.slice(0, LONGEST));
  if (name.length > LONGEST)
    return `the procedure name ${shown}… has ${name.length} characters; use ${LONGEST} at most`;
  if (name.trim() === '')
    return `the procedure name ${shown} is empty; give the procedure a name, such as 'getUser'`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(name) || /\p{Cs}/u.test(name))
    return `the procedure name ${shown} contains control characters or unpaired surrogates; remove them`;
  if (name.startsWith('rpc.'))
    return `the procedure name ${shown} starts with 'rpc.', which JSON-RPC 2.0 reserves (section 4.3); rename it`;
  const why = reservedPart(name);
  return why === undefined ? undefined : `a procedure cannot be named ${shown}: ${why}; rename it`;
}

/** Why a method of the client cannot have the name, because of one of its parts; undefined if it can. */
export function reservedPart(name: string): string | undefined {
  const parts = groupsOf(name).length === 0 ? [name] : name.split('.');
  for (const [index, part] of parts.entries()) {
    const why = index === 0 || !OF_CLIENT.has(part) ? RESERVED.get(part) : undefined;
    if (why !== undefined) return part === name ? why : `of '${part}', ${why}`;
  }
  return undefined;
}
