// Inference: which statements of a file can have other types after a change of some of them.
import type { Section, Statement } from './statements.js';

/**
 * Whether each statement of the new version is affected; undefined if any of them may be.
 *
 * A statement depends on the names in its text, and these on the names in their declarations. Words in comments and
 * names of properties count too, so that a statement too many may be affected, and never one too few.
 */
export function affectedStatements(
  before: readonly Statement[],
  after: readonly Statement[],
  { start, rest }: Section,
): readonly boolean[] | undefined {
  const changed = [...before.slice(start, before.length - rest), ...after.slice(start, after.length - rest)];
  if (changed.some(({ kind }) => kind === 'other')) return undefined;
  const declared = namesOf([...before, ...after]);
  const variables = namesOf([...before, ...after].filter(({ isVariable }) => isVariable));
  const names = new Set([...namesOf(changed), ...changed.flatMap((one) => mentionedBy(one, variables))]);
  const isAffected = after.map((_, index) => index >= start && index < after.length - rest);
  let fresh = [...names];
  while (fresh.length > 0) {
    const found = new Set<string>();
    for (const [index, one] of after.entries()) {
      if (mentionedBy(one, fresh).length === 0) continue;
      isAffected[index] = true;
      // Other statements may narrow the types of all names in them.
      const others = one.kind === 'other' ? mentionedBy(one, declared) : one.declares;
      for (const name of others) found.add(name);
    }
    fresh = [...found].filter((name) => !names.has(name));
    for (const name of fresh) names.add(name);
  }
  return isAffected;
}

function namesOf(statements: readonly Statement[]): readonly string[] {
  return [...new Set(statements.flatMap(({ declares }) => declares))];
}

function mentionedBy(statement: Statement, names: readonly string[]): readonly string[] {
  const words = statement.words();
  return names.filter((name) => words.has(name));
}
