// The public names of `fw/password`.
export { hashPassword, needsRehash, verifyPassword } from './hash-password.js';
export { type SignInLimitOptions, signInLimit } from './sign-in-limit.js';
