// The help of every command fits a screen of 80 columns and 24 lines, of which the prompt takes one.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { overview } from '../terminal/help.js';

const folder = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => /^[a-z]+\.ts$/.test(name) && name !== 'placeholder.ts' && name !== 'complete.ts')
  .map((name) => name.replace('.ts', ''));

function expectToFit(text: string): void {
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(text).toContain('Examples:');
}

describe.each(names)('fw %s --help', (name) => {
  it('fits a screen, and has examples of that command', async () => {
    const { command } = (await import(`./${name}.ts`)) as { command: Command };
    let text = '';
    command
      .name(`fw ${name}`)
      .helpOption('-h, --help', 'show this help')
      .configureOutput({ getOutHelpWidth: () => 80, writeOut: (part) => (text += part) });
    command.outputHelp();
    expectToFit(text);
    expect(text).toMatch(new RegExp(`Examples:\\n  .*fw ${name}\\b`));
  });
});

it('fw --help fits a screen too', () => {
  expectToFit(overview([...names].map((name) => ({ name, summary: 'x'.repeat(60) }))));
});
