// Registration: parses a route pattern and refuses patterns that could never match.
import { ConfigError } from '../config-error.js';

/** A part of a pattern: literal text (with slashes), a named segment, or the named rest of the path. */
type PatternPart =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'rest'; readonly name: string };

export interface Pattern {
  /** As the application wrote it. */
  readonly source: string;
  readonly parts: readonly PatternPart[];
  /** Names of params and rest, in path order. */
  readonly names: readonly string[];
}

/**
 * Parses a pattern such as `/users/:id/files/*rest`. `:name` is one non-empty segment, `*name` (only at the end) the
 * non-empty rest; both are special only at the start of a segment. Literal text is written decoded.
 *
 * @throws ConfigError if the pattern is malformed; the message shows the pattern and the remedy.
 */
export function parsePattern(source: string): Pattern {
  if (!source.startsWith('/')) throw malformed(source, `start it with '/': '/${source}'`);
  const segments = source.slice(1).split('/');
  const parts: PatternPart[] = [];
  const names: string[] = [];
  let text = '';
  segments.forEach((segment, index) => {
    text += '/';
    const named = readNamed(source, segment);
    if (!named) {
      text += readLiteral(source, segment);
      return;
    }
    if (named.kind === 'rest' && index !== segments.length - 1) {
      throw malformed(source, `'*${named.name}' takes the rest of the path, so it must be the last segment`);
    }
    if (names.includes(named.name)) throw malformed(source, `the name '${named.name}' is used twice`);
    names.push(named.name);
    parts.push({ kind: 'static', text }, named);
    text = '';
  });
  if (text !== '') parts.push({ kind: 'static', text });
  return { source, parts, names };
}

function readNamed(source: string, segment: string): Exclude<PatternPart, { kind: 'static' }> | undefined {
  const mark = segment[0];
  if (mark !== ':' && mark !== '*') return undefined;
  const name = segment.slice(1);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) {
    const what = name === '' ? `'${mark}' needs a name` : `'${name}' is not a name`;
    throw malformed(source, `${what}: ${remedyFor(source, segment)}`);
  }
  return { kind: mark === ':' ? 'param' : 'rest', name };
}

/** For what others write behind a name: that it may be absent, repeated, of a form, or followed by more text. */
function remedyFor(source: string, segment: string): string {
  const [, name = '', more = ''] = /^[:*]([A-Za-z_$][\w$]*)(.)/.exec(segment) ?? [];
  if (more === '?') {
    const present = source.replace(segment, `:${name}`);
    return `register one route for '${present.slice(0, present.indexOf(`/:${name}`)) || '/'}' and one for '${present}'`;
  }
  if (more === '*' || more === '+') return `write the rest of the path as '*${name}'`;
  if (more === '(' || more === '{' || more === '<')
    return `write ':${name}', and check its value, as Path(schema) does`;
  if (more === '.' || more === '-') return `a parameter is a whole segment, like '/:${name}/'`;
  return `use letters, digits and '_', like '${segment.slice(0, 1)}id'`;
}

/** How others write a parameter: OpenAPI, frameworks of Java and of files, Flask. */
const FOREIGN = /^[{[<]([A-Za-z_]\w*)[}\]>]$/;

/** In the paths that the router gets, only `%2F` and `%25` are still encoded, so literal text gets that form. */
function readLiteral(source: string, segment: string): string {
  if (segment === '.' || segment === '..') {
    throw malformed(source, `requests with a '${segment}' segment are answered 400, so it could never match`);
  }
  const foreign = FOREIGN.exec(segment)?.[1];
  if (foreign !== undefined) {
    throw malformed(source, `'${segment}' would be literal text: write a parameter as ':${foreign}'`);
  }
  if (segment.includes('?'))
    throw malformed(source, 'a query string is not part of the path: read it with ctx.req.query()');
  if (segment.includes('#')) throw malformed(source, "a fragment ('#') never reaches the server");
  if (/%[0-9A-Fa-f]{2}/.test(segment)) {
    throw malformed(source, `write it decoded: '${safeDecode(source)}'`);
  }
  return segment.replaceAll('%', '%25');
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Only a hint in an error message: if the text cannot be decoded, it is shown unchanged.
    return text;
  }
}

function malformed(source: string, why: string): Error {
  return new ConfigError('FW_ROUTE_PATTERN', `malformed route pattern '${source}': ${why}`);
}

type NameOf<Segment extends string> = Segment extends `:${infer Name}`
  ? Name
  : Segment extends `*${infer Name}`
    ? Name
    : never;

type NamesOf<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? NameOf<Segment> | NamesOf<Rest>
  : NameOf<Path>;

/** Names of the `:name` and `*name` segments of a literal pattern; any string if the pattern is not known. */
export type ParamName<Path extends string> = string extends Path ? string : NamesOf<Path>;

/** The type of the decoded parameters by name. */
export type Params<Names extends string> = { [Name in Names]: string };
