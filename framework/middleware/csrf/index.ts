// The public names of `fw/csrf`.

export { type CsrfMiddleware, csrf, csrfToken } from './csrf.js';
export { Csrf } from './csrf-builder.js';
export type { CsrfOptions } from './csrf-options.js';
