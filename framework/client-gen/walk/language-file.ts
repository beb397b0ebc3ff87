// Inference: recognizes the declaration files of JavaScript's and Node's built-in types.

const LANGUAGE =
  /^bundled:|[\\/]typescript[\w.-]*[\\/]lib[\\/]lib\.[\w.]+$|[\\/](?:@types[\\/]node|undici-types)[\\/]/;

export function isLanguageFile(path: string): boolean {
  return LANGUAGE.test(path);
}
