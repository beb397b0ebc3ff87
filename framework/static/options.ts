// Static files: the options, which are checked at registration.
import { ConfigError } from '../config-error.js';
import { FwHeaders } from '../http/headers.js';

/** A value for all files, or a function of the path within the directory, such as `css/site.css`. */
export type CacheControl = string | ((path: string) => string | undefined);

/** Options of `app.serveStatic` and `app.serveSpa`. */
export interface StaticOptions {
  /**
   * The `Cache-Control` field; none by default. A function is called when a file is read from the disk, not at every
   * request; if it returns `undefined`, the field is left out.
   */
  cacheControl?: CacheControl;
  /**
   * Whether to send `app.js.br` or `app.js.gz` for `app.js` if the client accepts the coding; true by default. A
   * compressed file that is older than the original is ignored.
   */
  precompressed?: boolean;
}

/** @throws ConfigError when an option is unknown or of a wrong type; Error when a field value is malformed. */
export function checkOptions(call: string, options: StaticOptions): StaticOptions {
  if (typeof options !== 'object' || options === null) {
    throw new ConfigError('FW_OPTION', `${call}: the options are ${JSON.stringify(options)}; give an object`);
  }
  for (const name of Object.keys(options)) {
    if (name !== 'cacheControl' && name !== 'precompressed') {
      throw new ConfigError(
        'FW_OPTION',
        `${call}: unknown option '${name}'; there are cacheControl and precompressed`,
      );
    }
  }
  const { cacheControl, precompressed } = options;
  if (typeof cacheControl === 'string') new FwHeaders().set('Cache-Control', cacheControl);
  else if (cacheControl !== undefined && typeof cacheControl !== 'function') {
    throw new ConfigError(
      'FW_OPTION',
      `${call}: cacheControl is of type ${typeof cacheControl}; give a string or a function`,
    );
  }
  if (precompressed !== undefined && typeof precompressed !== 'boolean') {
    throw new ConfigError(
      'FW_OPTION',
      `${call}: precompressed is ${JSON.stringify(precompressed)}; give true or false`,
    );
  }
  return { ...options };
}
