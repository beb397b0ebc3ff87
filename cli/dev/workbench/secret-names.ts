// Which header fields, parameters and fields of bodies are secrets.

export const masked = '••••••';

const secretName =
  /token|secret|passw|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|credential|authorization|session[-_]?id|^pwd$|^otp$|^jwt$|^sid$/i;

/** Whether the value of this name is a secret, in a query, a body, a span or an environment. */
export function isSecretName(name: string): boolean {
  return name.length <= 200 && secretName.test(name);
}
