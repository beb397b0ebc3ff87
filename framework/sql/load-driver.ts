// Connections: says what to install when the package of a driver, an optional peer, is missing.
import { ConfigError } from '../config-error.js';
import { FwError } from '../http/errors.js';
import { reportError } from '../tracing/error-channel.js';

/**
 * For `import('pg').catch(missingDriver(…))`: bundlers take an import whose failure is handled for one that need not
 * resolve (https://esbuild.github.io/api/#bundle), so that an app is bundled without the drivers that it does not use.
 *
 * @returns What throws a ConfigError that says what to install, and other errors as they are.
 */
export function missingDriver(who: string, packages: string): (error: unknown) => never {
  return (error) => {
    if (!isMissing(error)) throw error;
    throw new ConfigError(
      'FW_PACKAGE_MISSING',
      `${who} needs a package that is not installed; run: npm install ${packages}`,
      { cause: error },
    );
  };
}

/** Also where a bundle has no driver, which Workers report without a code. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || /^No such module /.test(message);
}

/** Reports a connection that was lost while no query used it. */
export function reportLost(cause: Error): void {
  const error = FwError.databaseError(`a connection to the database was lost: ${cause.message}`, { cause });
  reportError({ error, status: 500, method: 'database', path: '' });
}
