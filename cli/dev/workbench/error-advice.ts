// What to do about an error: sentences for its code, or for that of one of its causes, and for the status of the response.
import type { AppError } from '../../process/messages.js';

/** An error is known by its code, or by what its message says. */
interface Known {
  readonly codes: readonly string[];
  readonly message?: RegExp;
  readonly advice: string;
}

const KNOWN: readonly Known[] = [
  {
    codes: ['42P01', 'ER_NO_SUCH_TABLE'],
    message: /\bno such table\b/i,
    advice: 'The table is not there. Is its migration in the list, and has it run against this database?',
  },
  {
    codes: ['42703', 'ER_BAD_FIELD_ERROR'],
    message: /\b(?:no such column|has no column named)\b/i,
    advice: 'The column is not there. Compare the statement with the migrations; add one for a new column.',
  },
  {
    codes: ['42601', 'ER_PARSE_ERROR'],
    message: /\bsyntax error\b/i,
    advice: 'The database does not understand the statement. It is shown below as the database got it.',
  },
  {
    codes: ['23503', 'ER_NO_REFERENCED_ROW_2', 'ER_ROW_IS_REFERENCED_2', 'SQLITE_CONSTRAINT_FOREIGNKEY'],
    message: /\bFOREIGN KEY constraint failed\b/i,
    advice:
      'A foreign key does not allow it: the row it refers to is not there, or other rows refer to this one.',
  },
  {
    codes: ['23502', 'ER_BAD_NULL_ERROR', 'SQLITE_CONSTRAINT_NOTNULL'],
    message: /\bNOT NULL constraint failed\b/i,
    advice: 'A column needs a value. Give one in the statement, or a default in a migration.',
  },
  {
    codes: ['28P01', 'ER_ACCESS_DENIED_ERROR'],
    advice: 'The database refuses the user or the password. Check DATABASE_URL.',
  },
  {
    codes: ['3D000', 'ER_BAD_DB_ERROR'],
    advice: 'There is no database of this name. Create it, or check the name in DATABASE_URL.',
  },
  {
    codes: ['ECONNREFUSED'],
    advice:
      'Nothing listens at that address. Start the server, or check its host and port in the environment.',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    advice: 'The host name cannot be resolved. Check its spelling and the network.',
  },
  {
    codes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'],
    advice: 'The other server did not answer in time. Is it reachable from this machine?',
  },
  {
    codes: [],
    message: /\bserialize a BigInt\b/,
    advice:
      'JSON has no BigInt. Make a text or a number of it, such as String(total), before it is returned.',
  },
  {
    codes: [],
    message: /\bcircular structure to JSON\b/,
    advice: 'The value refers to itself, which JSON cannot say. Return the fields that the client needs.',
  },
  {
    codes: ['ENOENT'],
    advice: 'The file is not there. Relative paths start at the folder in which fw dev runs.',
  },
  { codes: ['EACCES', 'EPERM'], advice: 'The system does not allow this process to use the file or port.' },
  {
    codes: ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'],
    advice: 'A package or file cannot be found. Is it installed, and is its name spelled as in package.json?',
  },
];

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'The request is malformed. The message says which part of it was refused.',
  401: 'The route needs a signed-in caller. Sign in, or send the credentials that the message names.',
  403: 'The caller is known, but may not do this. Run fw routes to see who may call the route.',
  404: 'Check the address. Run fw routes to list all routes of the app.',
  405: 'The path is there, but not with this method.',
  413: 'The body is larger than maxBodySize allows.',
  415: 'Send the body with the media type that the route reads, such as application/json.',
  422: 'The body does not match the schema of the route. The message names each field.',
  429: 'The rate limit of the route is reached. Wait, or raise it for development.',
};

/** At most this many causes are looked at. */
const MOST_ERRORS = 20;

export function adviceFor(error: AppError | undefined, status: number): string[] {
  const found: string[] = [];
  const open = error === undefined ? [] : [error];
  for (let count = 0; open.length > 0 && count < MOST_ERRORS; count++) {
    const one = open.shift() as AppError;
    const known = KNOWN.find((each) => fits(one, each));
    if (known !== undefined && !found.includes(known.advice)) found.push(known.advice);
    open.push(...(one.causes ?? []));
  }
  const general = BY_STATUS[status];
  return found.length === 0 && general !== undefined ? [general] : found;
}

function fits({ code, title }: AppError, { codes, message }: Known): boolean {
  return (code !== undefined && codes.includes(code)) || message?.test(title.slice(0, 2000)) === true;
}
