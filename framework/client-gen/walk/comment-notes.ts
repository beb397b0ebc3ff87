// Inference: what the documentation comment of a field or a named type says, as a description and annotations.
import { membersOf } from '../../wire/union-of.js';
import type { Json, WireNotes, WireType } from '../../wire/wire-type.js';
import { type DocComment, describedText } from './doc-comment.js';

interface Described {
  readonly description?: string;
  readonly notes?: WireNotes;
}

/**
 * Values of `@default` and `@example` are annotations if they are JSON, texts in quotes, or texts of a string. Others,
 * and the text of `@deprecated`, are the end of the description.
 *
 * @param description the text before the tags, as the compiler reads it
 */
export function commentNotes(
  description: string | undefined,
  comment: DocComment | undefined,
  type: WireType,
): Described {
  if (comment === undefined) return description === undefined ? {} : { description };
  const value = comment.default === undefined ? undefined : jsonOf(comment.default, type);
  const examples = comment.examples.map((text) => ({ text, value: jsonOf(text, type) }));
  const values = examples.flatMap((one) => (one.value === undefined ? [] : [one.value]));
  const texts = examples.flatMap((one) => (one.value === undefined ? [one.text] : []));
  const { deprecated } = comment;
  const parts = [
    describedText({ ...(description !== undefined && { description }), examples: texts }),
    comment.default === undefined || value !== undefined ? undefined : `Default: ${comment.default}`,
    typeof deprecated === 'string' ? `Deprecated: ${deprecated}` : undefined,
  ].filter((part) => part !== undefined);
  const notes: WireNotes = {
    ...(value !== undefined && { default: value }),
    ...(values.length > 0 && { examples: values }),
    ...(deprecated !== undefined && { deprecated: true }),
  };
  return {
    ...(parts.length > 0 && { description: parts.join('\n\n') }),
    ...(Object.keys(notes).length > 0 && { notes }),
  };
}

function jsonOf(text: string, type: WireType): Json | undefined {
  const [, quoted] = /^(?:'([^'\\\n]*)'|`[^`\\\n]*`)$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  const bare = /^`[^`\\\n]*`$/.test(text) ? text.slice(1, -1) : text;
  const isText = membersOf(type).every(
    (one) => one.kind === 'string' || (one.kind === 'literal' && typeof one.value === 'string'),
  );
  try {
    const value = JSON.parse(bare) as Json;
    return isText && typeof value !== 'string' ? bare : value;
  } catch {
    // Not JSON: a text without quotes, or code.
    return isText && bare !== 'undefined' && !bare.includes('\n') ? bare : undefined;
  }
}
