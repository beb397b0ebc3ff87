// Passwords: hashed with scrypt (RFC 7914) off the event loop, as text that carries its parameters.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { FwError } from '../../http/errors.js';
import { noteSecret } from '../../tracing/secrets.js';
import { passwordCost } from './password-cost.js';

/** Runs expensive work a few at a time, and refuses more than can wait. */
export class WorkQueue {
  readonly #mostAtATime: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param mostAtATime half of the processors by default, so that requests have the others */
  constructor(mostAtATime: number = Math.max(1, Math.floor(availableParallelism() / 2)), mostWaiting = 100) {
    this.#mostAtATime = mostAtATime;
    this.#mostWaiting = mostWaiting;
  }

  /** The result of the work, when its turn comes. Rejects with `refuse()` at once if too much waits. */
  async run<T>(work: () => Promise<T>, refuse: () => Error): Promise<T> {
    if (this.#running >= this.#mostAtATime) {
      if (this.#waiting.length >= this.#mostWaiting) throw refuse();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The turn passes on to the next one, so that none can come in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

/** Those of new hashes. */
function present(): Parameters {
  return { log2N: passwordCost(), r: 8, p: 1 };
}
// An app with a wrong setting does not start.
passwordCost();

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** In characters: longer ones are not passwords of people. */
const LONGEST_PASSWORD = 1024;

interface Parameters {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

interface StoredHash extends Parameters {
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** Few at a time: each takes 128 MB and a processor for a third of a second, and the requests of others go on. */
const queue = new WorkQueue();

/**
 * The hash of a password, to be stored: `$scrypt$ln=17,r=8,p=1$<salt>$<key>`, each with a new salt. The password is
 * normalized (NFKC), so that keyboards that compose letters differently give the same one.
 *
 * @throws Error if it is empty or has more than 1,024 characters; FwError 503 if too many passwords wait
 */
export async function hashPassword(password: string): Promise<string> {
  if (typeof password !== 'string' || password === '')
    throw new Error('hashPassword() takes a password that is not empty');
  if (password.length > LONGEST_PASSWORD) {
    throw new Error(
      `hashPassword() takes a password of up to ${LONGEST_PASSWORD} characters; limit it in the schema of the request`,
    );
  }
  const parameters = present();
  const { log2N, r, p } = parameters;
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, { ...parameters, salt, key: Buffer.alloc(KEY_BYTES) });
  return `$scrypt$ln=${log2N},r=${r},p=${p}$${base64(salt)}$${base64(key)}`;
}

/**
 * Whether a password is the one of the stored hash. Give `undefined` for an account that does not exist: it takes
 * as long, so that the time does not tell which accounts exist.
 *
 * ```ts
 * if (!(await verifyPassword(password, user?.passwordHash))) throw FwError.unauthorized('wrong e-mail or password');
 * ```
 *
 * @throws Error if the stored text is not a hash of `hashPassword`; FwError 503 if too many passwords wait
 */
export async function verifyPassword(password: string, stored: string | undefined | null): Promise<boolean> {
  const isSomebody = stored !== undefined && stored !== null;
  const hash = isSomebody ? parse(stored) : nobody();
  const isPossible = typeof password === 'string' && password !== '' && password.length <= LONGEST_PASSWORD;
  const key = await derive(isPossible ? password : '', hash);
  return timingSafeEqual(key, hash.key) && isPossible && isSomebody;
}

/**
 * Whether a hash was made with other parameters than those of today: after a sign-in, hash the password again and
 * store that. @throws Error if it is not a hash of `hashPassword`
 */
export function needsRehash(stored: string): boolean {
  const { log2N, r, p } = parse(stored);
  const now = present();
  return log2N !== now.log2N || r !== now.r || p !== now.p;
}

/** Compared with in place of an account that does not exist. */
function nobody(): StoredHash {
  return { ...present(), salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };
}

function parse(stored: string): StoredHash {
  const found =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/.exec(
      stored,
    );
  const [log2N = 0, r = 0, p = 0] = (found ?? []).slice(1, 4).map(Number);
  // Beyond these, one request could take all of the memory.
  if (found === null || log2N < 10 || log2N > 20 || r < 1 || r > 32 || p < 1 || p > 16) {
    throw new Error('the stored text is not a hash of hashPassword(): it starts with $scrypt$ln=…,r=…,p=…');
  }
  return {
    log2N,
    r,
    p,
    salt: Buffer.from(found[4] ?? '', 'base64'),
    key: Buffer.from(found[5] ?? '', 'base64'),
  };
}

function derive(password: string, { log2N, r, p, salt, key }: StoredHash): Promise<Buffer> {
  noteSecret(password);
  const N = 2 ** log2N;
  // OpenSSL needs a little more than the blocks.
  const options: ScryptOptions = { N, r, p, maxmem: 128 * r * (N + p + 2) + 1024 * 1024 };
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, key.length, options, (error, derived) => {
        if (error === null) resolve(derived);
        else reject(error);
      });
    });
  return queue.run(work, () =>
    FwError.serviceUnavailable('too many passwords at a time; try again in a moment', {
      headers: { 'Retry-After': '5' },
    }),
  );
}

/** Without padding, as the PHC string format writes it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '');
}
