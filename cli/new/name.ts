// The rules for an app's name: npm accepts it as a package name, and every system as a directory name.
import validate from 'validate-npm-package-name';

/** Device names of Windows; `con` and `con.txt` open the console there, in every directory. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Why npm would refuse `name` as a package's name, or undefined. */
export function packageNameProblem(name: string): string | undefined {
  if (name.startsWith('-')) return FLAG_LIKE;
  const result = validate(name);
  if (result.validForNewPackages) return RESERVED.test(name) ? RESERVED_PROBLEM : undefined;
  const [problem = 'npm does not accept it'] = [...(result.errors ?? []), ...(result.warnings ?? [])];
  return problem
    .replace(/^name length must be greater than zero$/, 'it is empty')
    .replace(/^.* is not a valid package name$/, 'npm keeps it for itself')
    .replace(/^name /, 'it ')
    .replace('can no longer', 'cannot')
    .replace(/^.* is a core module name$/, 'it is a module of Node.js');
}

const FLAG_LIKE = 'it begins with -, which commands take for an option';
const RESERVED_PROBLEM = 'it is a reserved name on Windows';

/** Why a directory called `segment` would not work on every system, or undefined. */
export function directoryNameProblem(segment: string): string | undefined {
  if (CONTROL.test(segment)) return 'it contains a control character';
  if (RESERVED.test(segment)) return RESERVED_PROBLEM;
  if (/[. ]$/.test(segment))
    return `it ends with a ${segment.endsWith('.') ? 'dot' : 'space'}, which Windows drops`;
  if (segment.startsWith('-')) return FLAG_LIKE;
  if (segment.startsWith(' ')) return 'it begins with a space';
  const character = /[<>:"|?*\\/]/.exec(segment)?.[0];
  if (character) return `it contains ${character}`;
  if (Buffer.byteLength(segment) > 255) return 'it is longer than 255 bytes';
  return undefined;
}

/** The nearest valid package name: "My App!" → "my-app". */
export function suggestName(text: string): string {
  const slug = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, 100);
  if (!slug) return 'my-app';
  return packageNameProblem(slug) ? `my-${slug.replaceAll('.', '-')}` : slug;
}

/** The value for a message: quoted, with control characters escaped, and shortened. */
export function shown(value: string): string {
  const text = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return CONTROL.test(text) ? JSON.stringify(text) : `'${text}'`;
}
