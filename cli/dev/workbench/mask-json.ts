// Masks the secrets in a JSON text at any depth, also in one that was cut off, and keeps everything else as it is.
import { masked } from './secret-names.js';
import { type Secrets, unsaid } from './secrets.js';

// One token: a string, which may be cut off; a bracket or mark; anything else up to one of those.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** What stands for a secret in JSON. */
const maskedText = JSON.stringify(masked);

/** Calls `replace` for every scalar that is a secret, or stands below a secret name; the text with what it returns. */
export function replaceSecrets(
  text: string,
  secrets: Secrets,
  replace: (value: string, index: number) => string,
): string {
  let result = '';
  let done = 0;
  let found = 0;
  /** How many brackets are open, and around how many the secret is. */
  let depth = 0;
  let secretDepth: number | undefined;
  /** The scalar before this token: a name, if a colon follows, however far. */
  let last: { readonly token: string; readonly index: number } | undefined;
  let isValue = false;
  const endScalar = (): void => {
    if (last !== undefined && (secretDepth !== undefined || isSecretScalar(last.token, secrets))) {
      result += text.slice(done, last.index) + replace(last.token, found);
      done = last.index + last.token.length;
      found += 1;
    }
    last = undefined;
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === ':') {
      const isSecret = last !== undefined && !isValue && secrets.isField(textOf(last.token));
      if (isSecret) secretDepth ??= depth;
      if (isValue) endScalar();
      last = undefined;
      isValue = true;
      continue;
    }
    endScalar();
    if (token === '{' || token === '[') {
      depth += 1;
      isValue = token === '[';
    } else if (token === '}' || token === ']' || token === ',') {
      if (token !== ',') depth -= 1;
      if (secretDepth !== undefined && depth <= secretDepth) secretDepth = undefined;
      // In an array, values follow each other; a name is seen by the colon behind it.
      isValue = false;
    } else {
      last = { token, index };
      if (isValue) endScalar();
      isValue = false;
    }
  }
  endScalar();
  return result + text.slice(done);
}

export function maskJson(text: string, secrets: Secrets = unsaid): string {
  return replaceSecrets(text, secrets, () => maskedText);
}

/** Also what is masked already, in a text that comes back. */
function isSecretScalar(token: string, secrets: Secrets): boolean {
  return token === maskedText || secrets.isValue(textOf(token));
}

function textOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.startsWith('"') ? token.slice(1) : token;
  }
}
