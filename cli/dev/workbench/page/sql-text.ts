// The page about the app: statements as people read them: what a line shows of one, and a line for each clause.

/**
 * Strings and names in quotes, which may lack their end, comments, words, numbers and parameters, space, and anything
 * else. Each alternative begins with another character, and none can fail behind its beginning.
 */
const TOKENS =
  /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`[^`]*`?|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|[A-Za-z_][\w$]*|[$:@]\w+|\d[\w.]*|[ \t\r\n\f\v]+|[\s\S]/g;

/** In characters. Longer ones are data, such as an insert of many rows. */
const LONGEST = 20_000;

/** The words of a statement, without the space and the comments between them. */
function words(sql: string): string[] {
  const found = sql.slice(0, LONGEST).match(TOKENS) ?? [];
  return found.filter((one) => !/^(?:[ \t\r\n\f\v]|--|\/\*)/.test(one));
}

/** A word, and whether a space was between it and the one before it. */
function joined(tokens: readonly string[]): string {
  let text = '';
  let before = '';
  for (const token of tokens) {
    text += (text === '' || isTight(before, token) ? '' : ' ') + token;
    before = token;
  }
  return text;
}

const KEYWORD_BEFORE_BRACKET =
  /^(?:in|as|and|or|not|on|from|join|where|values|using|exists|any|all|by|over)$/i;

function isTight(before: string, token: string): boolean {
  if (token === ',' || token === ')' || token === ';' || token === '.' || token === '::') return true;
  if (before === '(' || before === '.' || before === ':' || token === ':') return true;
  if (/^[<>=!|&~*/+-]$/.test(before) && /^[<>=!|&~]$/.test(token)) return true;
  // A call has its bracket beside its name.
  return token === '(' && /^[A-Za-z_]/.test(before) && !KEYWORD_BEFORE_BRACKET.test(before);
}

/** So many characters of a list stay in a line; longer ones are `…`. */
const SHORT_LIST = 20;
const SHORT_BRACKETS = 24;
const SHORT_CONDITION = 60;

/** Verb, table and conditions in one line: `select … from "task" where "id" = $1`. */
export function sqlSummary(sql: string): string {
  const tokens = shortBrackets(words(sql));
  const shown: string[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as string;
    shown.push(token);
    const ends = listEnds[token.toLowerCase()];
    if (ends === undefined) continue;
    const end = tokens.findIndex((one, at) => at > index && ends.test(one));
    const list = tokens.slice(index + 1, end === -1 ? undefined : end);
    shown.push(...shortList(list));
    index += list.length;
  }
  const line = joined(shown);
  return sql.length > LONGEST ? `${line} …` : line;
}

/** What follows the lists that are made shorter. */
const listEnds: Readonly<Record<string, RegExp>> = {
  select: /^(?:from|union|except|intersect)$/i,
  set: /^(?:where|from|returning)$/i,
  returning: /^;$/,
  values: /^(?:on|returning|as)$/i,
};

function shortList(list: readonly string[]): readonly string[] {
  const [first = ''] = list;
  const head = /^(?:distinct|all)$/i.test(first) ? [first] : [];
  const rest = list.slice(head.length);
  return joined(rest).length <= SHORT_LIST ? list : [...head, '…'];
}

/** Brackets with much between them as `(…)`. */
function shortBrackets(tokens: readonly string[]): string[] {
  const result: string[] = [];
  let isCondition = false;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as string;
    if (token !== '(') {
      if (/^(?:where|having|on)$/i.test(token)) isCondition = true;
      else if (/^(?:from|order|group|limit|returning|set|values)$/i.test(token)) isCondition = false;
      result.push(token);
      continue;
    }
    const end = closing(tokens, index);
    const inside = tokens.slice(index + 1, end);
    const isShort = joined(inside).length <= (isCondition ? SHORT_CONDITION : SHORT_BRACKETS);
    result.push('(', ...(isShort ? inside : ['…']), ')');
    index = end;
  }
  return result;
}

/** The place of the bracket that closes the one at `index`, or the end. */
function closing(tokens: readonly string[], index: number): number {
  let depth = 0;
  for (let at = index; at < tokens.length; at += 1) {
    if (tokens[at] === '(') depth += 1;
    else if (tokens[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

/** A clause begins on a line of its own. */
const CLAUSE =
  /^(?:select|from|where|group|having|order|limit|offset|returning|values|set|union|except|intersect|join|left|right|inner|full|cross|natural|on|window|for)$/i;
/** What one of these begins goes on in the line. */
const CLAUSE_START = /^(?:left|right|inner|full|cross|natural|outer|union|delete|insert|distinct|replace)$/i;

/** The whole statement, a line for each clause; one that was written in several lines stays as it is. */
export function sqlLines(sql: string): string {
  if (/[\r\n]/.test(sql) || sql.length > LONGEST || /--|\/\*/.test(sql)) return sql;
  const tokens = words(sql);
  const lines: string[] = [];
  let line: string[] = [];
  /** Of every open bracket, whether a query is in it. */
  const brackets: boolean[] = [];
  let isBetween = false;
  const breakLine = (): void => {
    if (line.length > 0) lines.push('  '.repeat(Math.min(queries(brackets), 8)) + joined(line));
    line = [];
  };
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1] ?? '';
    const after = tokens[index + 1] ?? '';
    if (token === ')' && brackets.at(-1) === true) breakLine();
    if (token === ')') brackets.pop();
    const isInQuery = brackets.at(-1) !== false;
    if (isInQuery && isClause(token, before, after)) breakLine();
    if (/^between$/i.test(token)) isBetween = true;
    else if (isInQuery && /^(?:and|or)$/i.test(token)) {
      if (!isBetween) {
        breakLine();
        line.push(' ');
      }
      isBetween = false;
    }
    line.push(token);
    if (token !== '(') continue;
    const isQuery = /^(?:select|with)$/i.test(after);
    if (isQuery) breakLine();
    brackets.push(isQuery);
  }
  breakLine();
  return lines.join('\n');
}

function isClause(token: string, before: string, after: string): boolean {
  if (!CLAUSE.test(token) || CLAUSE_START.test(before)) return false;
  if (/^on$/i.test(token)) return /^(?:conflict|duplicate)$/i.test(after);
  if (/^set$/i.test(token)) return !/^(?:update|null|default)$/i.test(before);
  // `left(name, 3)` is a function, `is distinct from` an operator.
  return after !== '(' || !/^(?:left|right)$/i.test(token);
}

function queries(brackets: readonly boolean[]): number {
  return brackets.filter(Boolean).length;
}
