// OpenAPI: what the documentation comment of a route says, in the form of an operation.
import type { RouteOptions } from '../../extract/route.js';
import { documentedNotes, type ProcedureNotes } from '../../wire/wire-type.js';

interface OperationNotes {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** The first sentence of a comment is the summary, and the rest the description, where the options have none. */
export function routeNotes(options: RouteOptions, notes: ProcedureNotes = {}): OperationNotes {
  const { deprecated = notes.deprecated !== undefined || undefined } = options;
  const { summary, rest } = split(notes.description ?? '');
  const text = options.summary === undefined ? rest : notes.description;
  const { description = options.deprecated === false ? text : explained(text, notes) } = options;
  const short = options.summary ?? summary;
  return {
    ...(short !== undefined && short !== '' && { summary: short }),
    ...(description !== undefined && description !== '' && { description }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

/** With the text of a deprecation at its end. */
function explained(text: string | undefined, { deprecated }: ProcedureNotes): string | undefined {
  const { description } = documentedNotes({
    ...(text !== undefined && text !== '' && { description: text }),
    ...(deprecated !== undefined && { deprecated }),
  });
  return description;
}

/** The first sentence of the first paragraph, on one line. */
function split(text: string): { readonly summary: string; readonly rest: string } {
  const [paragraph = ''] = text.split('\n\n', 1);
  // A code block is not a sentence.
  if (paragraph.startsWith('```') || paragraph.startsWith('Example:')) return { summary: '', rest: text };
  const end = /[.!?](?=\s+[^\sa-z]|$)/.exec(paragraph);
  const length = end === null ? paragraph.length : end.index + 1;
  return {
    summary: paragraph.slice(0, length).replaceAll('\n', ' '),
    rest: text.slice(length).trim(),
  };
}
