// Names whose values are commonly secrets, and what is shown instead of such a value.

export const MASKED = '••••••';

const SECRET_NAME =
  /token|secret|passw|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|credential|authorization|session[-_]?id|^pwd$|^otp$|^jwt$|^sid$/i;

/** Whether the value of this name is a secret, in a query, a body, a span, a statement or an environment. */
export function isSecretName(name: string): boolean {
  return name.length <= 200 && SECRET_NAME.test(name);
}
