// The codes of configuration errors. What throws each is in the examples of their pages: error-pages.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const codesIn = (source: string, form: RegExp) => [...source.matchAll(form)].map(([, code = '']) => code);

it('are each thrown somewhere', () => {
  const codes = codesIn(read('config-error.ts'), /^ {2}\| '(FW_\w+)'/gm);
  expect(codes.length).toBeGreaterThan(90);
  const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
  const sources = files.filter(
    (file) => /\.ts$/.test(file) && !/(?:\.test|\.test-d|^config-error)\.ts$/.test(file),
  );
  const thrown = new Set(sources.flatMap((file) => codesIn(read(file), /'(FW_\w+)'/g)));
  expect(codes.filter((code) => !thrown.has(code))).toEqual([]);
});
