// The JSON Schema of fw.toml against what the binary accepts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../process/package-root.js';
import { settingsJsonSchema } from './json-schema.js';
import { parseSettings } from './parse.js';
import { schema } from './schema.js';

const validate = new Ajv().compile(settingsJsonSchema());

function isAccepted(text: string): boolean {
  try {
    parseSettings(text, 'fw.toml');
    return true;
  } catch {
    return false;
  }
}

describe('the JSON Schema of fw.toml', () => {
  it.each([
    '',
    '[dev]\nbackend_port = 3000\nhot_reload = false\nallowed_hosts = ["a"]',
    ...[0, 1, 1.5, 65_535, 65_536].map((port) => `[dev]\nbackend_port = ${port}`),
    ...[0, 1, 65_535, 65_536].map((port) => `[dev]\nfrontend_port = ${port}`),
    ...[19, 20, 20.5, 60_000, 60_001].map((interval) => `[dev]\npoll_interval = ${interval}`),
    '[dev]\nbackend_port = "3000"',
    '[dev]\nbackend_prot = 3000',
    '[dev]\nhost = ""',
    '[dev]\nhot_reload = "yes"',
    '[dev]\npreload = "./a.js"',
    '[dev]\npreload = [""]',
    '[development]\nhost = "x"',
    'host = "x"',
    '[generate]\noutput_path = "a"\ndeclarations = true',
    '[project]\nname = 1',
  ])('accepts what the binary accepts: %s', (text) => {
    expect(validate(parse(text))).toBe(isAccepted(text));
  });

  it('accepts the file of every template, which names it', () => {
    const templates = join(packageRoot(), 'templates');
    const files = readdirSync(templates, { withFileTypes: true }).filter((one) => one.isDirectory());
    for (const { name } of files) {
      const text = readFileSync(join(templates, name, 'fw.toml'), 'utf8');
      expect(validate(parse(text)), name).toBe(true);
      expect(text.split('\n')[0]).toBe('#:schema ./node_modules/fw/dist/fw-toml.schema.json');
    }
  });

  it('has every key in the documentation', () => {
    const page = readFileSync(join(packageRoot(), 'cli/docs/fw-toml.md'), 'utf8');
    for (const keys of Object.values(schema)) {
      for (const name of Object.keys(keys)) expect(page).toMatch(new RegExp(`^${name} = `, 'm'));
    }
  });
});
