// The .env that fw new makes, with real templates: what it contains, and whom it is for.
import { describe, expect, it } from 'vitest';
import { makeEnvFile } from './plan.js';
import { listTemplates, type TemplateFile } from './templates.js';

const example = (text: string): TemplateFile[] => [
  { path: '.env.example', content: Buffer.from(text), executable: false },
];
const made = (text: string): string => String(makeEnvFile(example(text))?.content);

describe('makeEnvFile', () => {
  it('gives every placeholder a secret of its own, and leaves the rest', () => {
    const text = '# A=<secret>\nA=<secret>\nB=<secret>\nC=a<secret>\nD=<secrets>\nE=file:app.db\n';
    const [comment, a, b, ...rest] = made(text).split('\n');
    expect([comment, ...rest]).toEqual(['# A=<secret>', 'C=a<secret>', 'D=<secrets>', 'E=file:app.db', '']);
    for (const line of [a, b]) expect(line).toMatch(/^[AB]=[\w-]{43}$/);
    expect(a?.slice(2)).not.toBe(b?.slice(2));
    expect(made(text)).not.toBe(made(text));
  });

  it('is for the user alone', () => {
    expect(makeEnvFile(example(''))).toMatchObject({ path: '.env', isSecret: true });
  });

  it('makes nothing without .env.example', () => {
    expect(makeEnvFile([])).toBeUndefined();
  });
});

const withEnv = listTemplates().filter((template) =>
  template.read().some(({ path }) => path === '.env.example'),
);

it.each(withEnv)('git ignores the .env of the template $name', (template) => {
  const ignored = template.read().find(({ path }) => path === '.gitignore');
  expect(String(ignored?.content).split('\n')).toContain('.env');
});
