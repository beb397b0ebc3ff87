// The public names of `fw/password`.
export { isCommonPassword } from './common-passwords.js';
export { hashPassword, needsRehash, verifyPassword } from './hash-password.js';
export { type SignInLimit, type SignInLimitOptions, signInLimit } from './sign-in-limit.js';
