// The messages for mistakes in fw.toml, and the settings of a valid file.
import { describe, expect, it } from 'vitest';
import { CliError } from '../terminal/errors.js';
import { parseSettings } from './parse.js';

function failure(text: string): { message: string; help: string | undefined } {
  try {
    parseSettings(text, 'fw.toml');
  } catch (error) {
    if (error instanceof CliError) return { message: error.message, help: error.help };
    throw error;
  }
  throw new Error('it was accepted');
}

describe('parseSettings', () => {
  it('reports the table of a key that is outside of all tables', () => {
    expect(failure('output_path = "client.ts"\n')).toEqual({
      message: "fw.toml:1:1: the key 'output_path' is outside of all tables",
      help: 'write it below [generate]',
    });
    expect(failure('colour = "red"\n').help).toBe('keys belong below a table: project, generate, dev');
  });

  it('does not accept names of Object.prototype as tables and keys', () => {
    expect(failure('[toString]\n').message).toBe('fw.toml:1:2: unknown table [toString]');
    expect(failure('[dev]\nconstructor = 1\n').message).toBe(
      "fw.toml:2:1: unknown key 'constructor' in [dev]",
    );
  });

  it('reports an empty string', () => {
    expect(failure('[generate]\noutput_path = ""\n')).toEqual({
      message: 'fw.toml:2:1: generate.output_path is ""',
      help: 'give it a value, or leave the key out',
    });
  });

  it('reads every key of the specification', () => {
    const text = `[project]
name = "shop"
version = "1.0.0"
root = "app"
[generate]
backend_path = "src"
output_path = "client.ts"
base_url = "/api"
client = "import"
declarations = true
[dev]
backend_port = 4000
frontend_port = 5173
hot_reload = false
host = "0.0.0.0"
entry = "src/server.ts"
allowed_hosts = ["shop.test"]
preload = ["./tracer.js"]
`;
    expect(parseSettings(text, 'fw.toml')).toEqual({
      project: { name: 'shop', version: '1.0.0', root: 'app' },
      generate: {
        backend_path: 'src',
        output_path: 'client.ts',
        base_url: '/api',
        client: 'import',
        declarations: true,
      },
      dev: {
        backend_port: 4000,
        frontend_port: 5173,
        hot_reload: false,
        host: '0.0.0.0',
        entry: 'src/server.ts',
        allowed_hosts: ['shop.test'],
        preload: ['./tracer.js'],
      },
    });
  });

  it.each(['"bundled"', '""', 'true'])('refuses another form of the client: %s', (value) => {
    expect(failure(`[generate]\nclient = ${value}\n`)).toEqual({
      message: `fw.toml:2:1: generate.client is ${value}`,
      help: 'it must be "standalone" or "import"',
    });
  });

  it.each([
    ['backend_port', 1, 65_535, 'it must be a whole number from 1 to 65535'],
    ['frontend_port', 1, 65_535, 'it must be a whole number from 1 to 65535'],
    ['poll_interval', 20, 60_000, 'it must be a whole number of milliseconds from 20 to 60000'],
  ])('accepts %s from %d to %d, and nothing outside', (key, least, most, help) => {
    for (const value of [least, most]) {
      expect(parseSettings(`[dev]\n${key} = ${value}\n`, 'fw.toml').dev).toEqual({ [key]: value });
    }
    for (const value of [least - 1, most + 1, -least, `${least}.5`]) {
      expect(failure(`[dev]\n${key} = ${value}\n`)).toEqual({
        message: `fw.toml:2:1: dev.${key} is ${value}`,
        help,
      });
    }
  });

  it('accepts an empty file', () => {
    expect(parseSettings('', 'fw.toml')).toEqual({ project: {}, generate: {}, dev: {} });
  });

  it('reports line and column of a syntax error', () => {
    const { message, help } = failure('[dev]\nbackend_port = \n');
    expect(message).toMatch(/^fw\.toml:2:\d+: /);
    expect(help).toBe('correct this line: backend_port =');
  });

  it('suggests the nearest key and table', () => {
    expect(failure('[dev]\nhost = "::1"\nbackend_prot = 1\n')).toEqual({
      message: "fw.toml:3:1: unknown key 'backend_prot' in [dev]",
      help: "did you mean 'backend_port'?",
    });
    expect(failure('[project]\n\n  [devv]\n')).toEqual({
      message: 'fw.toml:3:4: unknown table [devv]',
      help: "did you mean 'dev'?",
    });
    expect(failure('[dev]\nzzzzzzzz = 1\n').help).toMatch(/^keys are: backend_port, /);
  });

  it.each([
    [
      '[dev]\nbackend_port = 70000\n',
      'fw.toml:2:1: dev.backend_port is 70000',
      'a whole number from 1 to 65535',
    ],
    [
      '[dev]\nbackend_port = "80"\n',
      'fw.toml:2:1: dev.backend_port is "80"',
      'a whole number from 1 to 65535',
    ],
    ['[dev]\n  hot_reload = 1\n', 'fw.toml:2:3: dev.hot_reload is 1', 'true or false'],
    ['dev.entry = 1\n', 'fw.toml:1:1: dev.entry is 1', 'a string in quotes'],
    [
      'dev = { allowed_hosts = [1] }\n',
      'fw.toml:1:9: dev.allowed_hosts is [1]',
      'an array of strings in quotes',
    ],
    ['[project]\nname = ["x"]\n', 'fw.toml:2:1: project.name is ["x"]', 'a string in quotes'],
  ])('refuses %j', (text, message, kind) => {
    expect(failure(text)).toEqual({ message, help: `it must be ${kind}` });
  });

  it.each([
    ['\n# a key\ncolour = 1\n', 'fw.toml:3:1: '],
    ['[dev]\nhost = "::1"\n[project]\n  host = "::1"\n', 'fw.toml:4:3: '],
    ['[dev]\nhost = "::1"\n"a+(b" = 1\n', 'fw.toml:3:1: '],
    ['[dev]\nhost = "::1"\n["a+(b"]\n', 'fw.toml:3:2: '],
    ["\n'dev'.'colour' = 1\n", 'fw.toml:2:1: '],
  ])('finds the place in %j', (text, place) => {
    expect(failure(text).message.slice(0, place.length)).toBe(place);
  });

  it('shows the beginning of a long value', () => {
    const longest = `${'x'.repeat(58)}`;
    expect(failure(`[dev]\nbackend_port = "${longest}"\n`).message).toMatch(/ is "x{58}"$/);
    expect(failure(`[dev]\nbackend_port = "${longest}x"\n`).message).toMatch(/ is "x{58}…$/);
  });

  it.each([
    ['[dev]\nallowed_hosts = [""]\n', 'it must be an array of strings in quotes'],
    ['[dev]\npreload = ""\n', 'it must be an array of strings in quotes'],
    ['[generate]\nclient = ""\n', 'it must be "standalone" or "import"'],
    ['[dev]\nhost = ""\n', 'give it a value, or leave the key out'],
  ])('says what is to do about an empty string: %j', (text, help) => {
    expect(failure(text).help).toBe(help);
  });

  it('refuses a value in place of a table', () => {
    for (const value of ['2024-01-01', '[1]', '"x"']) {
      expect(failure(`dev = ${value}\n`).message).toBe("fw.toml:1:1: 'dev' must be a table");
    }
    expect(failure('name = "x"\ndev = 3\n').message).toBe(
      "fw.toml:1:1: the key 'name' is outside of all tables",
    );
    expect(failure('dev = 3\n').message).toBe("fw.toml:1:1: 'dev' must be a table");
  });
});
