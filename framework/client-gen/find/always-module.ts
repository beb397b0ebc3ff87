// Inference: finds out which files are modules even if their text does not say so.

/**
 * True if the format of a file or the settings make it a module: no later text can make its names global. Compilers
 * keep either `true` or the syntax that makes the file a module; false if they keep nothing of the kind.
 */
export function isAlwaysModule(source: object | undefined): boolean {
  return (source as { externalModuleIndicator?: unknown } | undefined)?.externalModuleIndicator === true;
}
