// The public names of `fw/env`.

export { type EnvOptions, type EnvSchema, env, envOrExit } from './env.js';
