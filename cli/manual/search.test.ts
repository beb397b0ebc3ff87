// The search of the documentation: what people ask, codes, and messages as they are printed.
import { describe, expect, it } from 'vitest';
import { ERROR_GROUP, readPages } from './pages.js';
import { questions } from './questions.js';
import { ManualSearch } from './search.js';

const pages = readPages();
const search = await ManualSearch.of(pages);
const found = (query: string, most = 3): string[] => search.find(query, most).map(({ page }) => page.name);
const errors = pages.filter(({ group }) => group === ERROR_GROUP);

describe('a question', () => {
  it('has its page among the first three results, nine times out of ten', () => {
    expect(questions.length).toBeGreaterThanOrEqual(50);
    const missed = questions.filter(([question, page]) => !found(question).includes(page));
    const shown = missed.map(([question, page]) => `${question} → ${page}: ${found(question).join(', ')}`);
    expect(shown.slice(Math.floor(questions.length / 10))).toEqual([]);
  });

  it('is about a page that exists', () => {
    const names = pages.map(({ name }) => name);
    for (const [, page] of questions) expect(names).toContain(page);
  });
});

describe('an error', () => {
  it.each(errors.map(({ name }) => name))('%s is found first by its code', (name) => {
    const code = name.replace('errors/', '');
    expect(found(code)[0]).toBe(name);
    expect(found(code.toLowerCase())[0]).toBe(name);
  });

  it('is among the first three results for its message', () => {
    const missed = errors.filter(({ name, blocks }) => {
      const message = blocks.find((block) => block.kind === 'code');
      return message?.kind !== 'code' || !found(message.text).includes(name);
    });
    expect(missed.map(({ name }) => name)).toEqual([]);
  });

  it('is found by a message with other names and places', () => {
    const message =
      'Error: route conflict: GET /tasks/:slug (src/tasks.ts:12:3) matches the same requests as GET /tasks/:id (src/tasks.ts:9:3)';
    expect(found(message)[0]).toBe('errors/FW_ROUTE_CONFLICT');
  });
});

describe('a search', () => {
  it('gives the section, with text around the words', () => {
    const [first] = search.find('transaction isolation');
    expect(first?.page.name).toBe('sql');
    expect(first?.section.slug).not.toBe('');
    expect(first?.excerpt.toLowerCase()).toContain('transaction');
  });

  it('forgives a typo, and understands other words', () => {
    expect(found('sesions')).toContain('sessions');
    expect(found('throttling')).toContain('rate-limiting');
    expect(found('swagger', 5)).toContain('openapi-page');
  });

  it('finds nothing without words that say something', () => {
    expect(found('')).toEqual([]);
    expect(found('how to')).toEqual([]);
    expect(found('xqzvwk')).toEqual([]);
    expect(found('(a+)+$ '.repeat(10_000))).toEqual([]);
  });
});
