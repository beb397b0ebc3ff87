// Masks the secrets in a JSON text at any depth, also in one that was cut off, and keeps everything else as it is.
import { isSecretName, masked } from './secret-names.js';

// One token: a string, which may be cut off; a bracket or mark; anything else up to one of those.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** Calls `replace` for every scalar below a secret name; the text with what it returns. */
export function replaceSecrets(text: string, replace: (value: string, index: number) => string): string {
  let result = '';
  let done = 0;
  let found = 0;
  /** How many brackets are open, and around how many the secret is. */
  let depth = 0;
  let secretDepth: number | undefined;
  let name: string | undefined;
  let isValue = false;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === ':') {
      isValue = true;
      if (secretDepth === undefined && name !== undefined && isSecretName(nameOf(name))) secretDepth = depth;
      continue;
    }
    if (token === '{' || token === '[') {
      depth += 1;
      isValue = token === '[';
      continue;
    }
    if (token === '}' || token === ']' || token === ',') {
      if (token !== ',') depth -= 1;
      if (secretDepth !== undefined && depth <= secretDepth) secretDepth = undefined;
      // In an array, values follow each other; a name is seen by the colon behind it.
      isValue = false;
      name = undefined;
      continue;
    }
    const isName = !isValue && /^\s*:/.test(text.slice(index + token.length, index + token.length + 64));
    if (isName) name = token;
    else if (secretDepth !== undefined) {
      result += text.slice(done, index) + replace(token, found);
      done = index + token.length;
      found += 1;
    }
    isValue = false;
  }
  return result + text.slice(done);
}

export function maskJson(text: string): string {
  return replaceSecrets(text, () => JSON.stringify(masked));
}

function nameOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}
