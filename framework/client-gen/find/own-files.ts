// Inference: finds the files of a program that are the app's own code and may register procedures.
import { dirname, relative } from 'node:path';

export function isOwnFile(file: string): boolean {
  return !/\.d\.[cm]?ts$|[\\/]node_modules[\\/]|^bundled:/.test(file);
}

/** Tests have their own registries, which are not part of the contract. */
export function isTestFile(file: string, config: string): boolean {
  const path = relative(dirname(config), file);
  return /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|[\\/])__tests__[\\/]|^(?:tests?|e2e)[\\/]/.test(path);
}
