// Documents: the notes of a procedure as OpenAPI and OpenRPC write them.
import type { ProcedureNotes } from './wire-type.js';

/** Both have no text for a deprecation: it is the last paragraph of the description. */
export function documentedNotes({ description, deprecated = false }: ProcedureNotes): {
  readonly description?: string;
  readonly deprecated?: true;
} {
  const instead = typeof deprecated === 'string' ? `Deprecated: ${deprecated}` : undefined;
  const text = [description, instead].filter((part) => part !== undefined).join('\n\n');
  return { ...(text !== '' && { description: text }), ...(deprecated !== false && { deprecated: true }) };
}
