// Packages that load files by name, such as @fastify/autoload, ask Node.js whether it takes TypeScript.
import process from 'node:process';

/**
 * Says in `process.features.typescript` that this process takes all of TypeScript, as Node.js does with
 * `--experimental-transform-types` (https://nodejs.org/api/process.html#processfeaturestypescript).
 */
export function declareTypeScript(): void {
  Object.defineProperty(process.features, 'typescript', {
    value: 'transform',
    enumerable: true,
    configurable: true,
  });
}
