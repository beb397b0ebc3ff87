// Static files: what an application may choose, checked when it registers a directory.
import { FwHeaders } from '../headers.js';

/** A value for every file, or one for each by its path inside the directory, such as `css/site.css`. */
export type CacheControl = string | ((path: string) => string | undefined);

export interface StaticOptions {
  /**
   * The `Cache-Control` field; none by default. A function is asked when a file is read, not at every request,
   * and leaves the field out where it gives `undefined`.
   */
  cacheControl?: CacheControl;
  /**
   * Whether `app.js.br` or `app.js.gz` answers for `app.js` where the client accepts the coding; true by
   * default. One that is older than the file is passed over.
   */
  precompressed?: boolean;
}

/** @throws Error when an option is unknown or of another type, or the field would be malformed. */
export function checkOptions(call: string, options: StaticOptions): StaticOptions {
  if (typeof options !== 'object' || options === null) {
    throw new Error(`${call}: the options are ${JSON.stringify(options)}; give an object`);
  }
  for (const name of Object.keys(options)) {
    if (name !== 'cacheControl' && name !== 'precompressed') {
      throw new Error(`${call}: unknown option '${name}'; there are cacheControl and precompressed`);
    }
  }
  const { cacheControl, precompressed } = options;
  if (typeof cacheControl === 'string') new FwHeaders().set('Cache-Control', cacheControl);
  else if (cacheControl !== undefined && typeof cacheControl !== 'function') {
    throw new Error(`${call}: cacheControl is of type ${typeof cacheControl}; give a string or a function`);
  }
  if (precompressed !== undefined && typeof precompressed !== 'boolean') {
    throw new Error(`${call}: precompressed is ${JSON.stringify(precompressed)}; give true or false`);
  }
  return { ...options };
}
