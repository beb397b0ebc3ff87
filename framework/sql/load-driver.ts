// Connections: loads the package of a driver, which is an optional peer.
import { ConfigError } from '../config-error.js';

/** @throws ConfigError that says what to install, when a package is missing. */
export async function loadDriver<Driver>(
  who: string,
  packages: string,
  load: () => Promise<Driver>,
): Promise<Driver> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigError(
      'FW_PACKAGE_MISSING',
      `${who} needs a package that is not installed; run: npm install ${packages}`,
      { cause: error },
    );
  }
}
