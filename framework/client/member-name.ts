// The client: the name of a procedure as a member of a class or an interface.
import { isIdentifier } from '../rpc/protocol/procedure-name.js';

/** In quotes, unless it is an identifier. */
export function memberName(name: string): string {
  return isIdentifier(name) ? name : JSON.stringify(name);
}
