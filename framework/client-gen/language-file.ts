// Inference: which declarations are the language's own, or Node's.

const LANGUAGE =
  /^bundled:|[\\/]typescript[\w.-]*[\\/]lib[\\/]lib\.[\w.]+$|[\\/](?:@types[\\/]node|undici-types)[\\/]/;

export function isLanguageFile(path: string): boolean {
  return LANGUAGE.test(path);
}
