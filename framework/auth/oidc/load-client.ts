// OIDC: loads the package openid-client, which is an optional peer.
import { ConfigError } from '../../config-error.js';

/** @throws ConfigError that says what to install, if the package is missing. */
export async function loadClient<Client>(load: () => Promise<Client>): Promise<Client> {
  try {
    return await load();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new ConfigError(
      'FW_PACKAGE_MISSING',
      'oidcSignIn() needs a package that is not installed; run: npm install openid-client',
      { cause },
    );
  }
}
