// Passwords: refuses those that everybody tries first.

/** Letters of a common password, beside which digits and signs do not help. */
const SHORTEST_BASE = 4;
/** Digits and signs around a common password that do not make it a good one. */
const MOST_AROUND = 6;
/** Keys of a keyboard side by side, and the alphabet, forwards; two rows may follow each other. */
const RUNS = ['abcdefghijklmnopqrstuvwxyz', '0123456789'.repeat(3), 'qwertyuiopasdfghjklzxcvbnm'];

let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password is one of about 49,000 common ones, or hardly more than one: in other case, with a few digits and
 * signs around it, repeated, or a run of keys. Ask it where a password is chosen, beside a least length (NIST SP 800-63B,
 * section 3.1.1.2; OWASP ASVS 5.0.0, 6.2.4). The list is loaded with the first call.
 *
 * ```ts
 * if (await isCommonPassword(password)) throw FwError.badRequest('this password is one of those that are tried first');
 * ```
 *
 * @throws Error if it is not a string
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (typeof password !== 'string')
    throw new Error(`isCommonPassword() takes a string, got ${typeof password}`);
  known ??= loadPasswords();
  const common = await known;
  const text = password.normalize('NFKC').toLowerCase();
  // A hundred characters are not a password of a list, and the work below is for short texts.
  if (text.length > 100) return false;
  const unit = repeatedUnit(text);
  return [text, unit, withoutAround(text), withoutAround(unit)].some(
    (one) => one !== undefined && (common.has(one) || isRun(one)),
  );
}

async function loadPasswords(): Promise<ReadonlySet<string>> {
  try {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    return new Set(dictionary['passwords-common'] as string[]);
  } catch (error) {
    // The next call tries again.
    known = undefined;
    throw error;
  }
}

/** The shortest text that the whole text repeats; that of a few characters counts as common. */
function repeatedUnit(text: string): string | undefined {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.length % length === 0 && text === text.slice(0, length).repeat(text.length / length)) {
      return length <= SHORTEST_BASE ? RUNS[0] : text.slice(0, length);
    }
  }
  return undefined;
}

/** The text without a few digits and signs before and behind it. */
function withoutAround(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  let start = 0;
  let end = text.length;
  while (start < end && !isLetter(text[start])) start += 1;
  while (end > start && !isLetter(text[end - 1])) end -= 1;
  const isBase = end - start >= SHORTEST_BASE && start + text.length - end <= MOST_AROUND;
  return isBase ? text.slice(start, end) : undefined;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && character >= 'a' && character <= 'z';
}

function isRun(text: string): boolean {
  if (text.length < SHORTEST_BASE) return false;
  const backwards = [...text].reverse().join('');
  return RUNS.some((run) => run.includes(text) || run.includes(backwards));
}
