// Inference: which files of a program are the app's own code, and may register its procedures.
import { dirname, relative } from 'node:path';

export function isOwnFile(file: string): boolean {
  return !/\.d\.[cm]?ts$|[\\/]node_modules[\\/]|^bundled:/.test(file);
}

/** Tests make registries of their own, which are no part of the contract. */
export function isTestFile(file: string, config: string): boolean {
  const path = relative(dirname(config), file);
  return /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|[\\/])__tests__[\\/]|^(?:tests?|e2e)[\\/]/.test(path);
}
