// What stands for `node:path` on a trial Windows.
import { type PlatformPath, win32 } from 'node:path';

export const basename: PlatformPath['basename'] = win32.basename;
export const delimiter: PlatformPath['delimiter'] = win32.delimiter;
export const dirname: PlatformPath['dirname'] = win32.dirname;
export const extname: PlatformPath['extname'] = win32.extname;
export const format: PlatformPath['format'] = win32.format;
export const isAbsolute: PlatformPath['isAbsolute'] = win32.isAbsolute;
export const join: PlatformPath['join'] = win32.join;
export const normalize: PlatformPath['normalize'] = win32.normalize;
export const parse: PlatformPath['parse'] = win32.parse;
export const posix: PlatformPath['posix'] = win32.posix;
export const relative: PlatformPath['relative'] = win32.relative;
export const resolve: PlatformPath['resolve'] = win32.resolve;
export const sep: PlatformPath['sep'] = win32.sep;
export const toNamespacedPath: PlatformPath['toNamespacedPath'] = win32.toNamespacedPath;
export { win32 };
export default win32;
