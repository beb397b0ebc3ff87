// The order of flag, variable, fw.toml and default, and which values are refused.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AbsolutePath, absolutePath } from '../../../framework/files/absolute-path.js';
import type { Project } from '../../config/load.js';
import { workerEnvironment } from '../../process/environment.js';
import { UsageError } from '../../terminal/errors.js';
import { settleSettings } from './dev-settings.js';

let root: AbsolutePath;
beforeEach(() => {
  root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-settings-')));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/main.ts'), '');
  vi.stubEnv('PORT', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

function project(dev: Project['settings']['dev'] = {}): Project {
  return { root, settings: { project: {}, generate: {}, dev }, configFile: undefined };
}

describe('settleSettings', () => {
  it('reads the port from flag, PORT, .env, fw.toml, or else uses 3000', () => {
    const inFile = project({ backend_port: 4000 });
    expect(settleSettings({}, project()).port).toBe(3000);
    expect(settleSettings({}, inFile).port).toBe(4000);
    writeFileSync(join(root, '.env'), 'PORT=4500\n');
    expect(settleSettings({}, inFile).port).toBe(4500);
    vi.stubEnv('PORT', '5000');
    expect(settleSettings({}, inFile).port).toBe(5000);
    expect(settleSettings({ port: '6001' }, inFile).port).toBe(6001);
  });

  it('names the file that probably starts the app, if that has another name', () => {
    rmSync(join(root, 'src/main.ts'));
    expect(() => settleSettings({}, project())).toThrow(
      expect.objectContaining({ help: expect.stringContaining('make one with: fw new') }),
    );
    expect(() => settleSettings({}, project(), 'routes')).toThrow(
      expect.objectContaining({ help: expect.stringMatching(/^run fw routes in the directory of an app/) }),
    );
    for (const name of ['index.js', 'src/server.ts']) {
      writeFileSync(join(root, name), '');
      const help = `if ${name} starts the app, name it in fw.toml, under [dev]: entry = "${name}"`;
      expect(() => settleSettings({}, project())).toThrow(expect.objectContaining({ help }));
    }
  });

  it('refuses a directory as the entry', () => {
    expect(() => settleSettings({}, project({ entry: 'src' }))).toThrow(
      "dev.entry in fw.toml is 'src', a directory",
    );
  });

  it('reads the host from flag, fw.toml, or else uses the loopback address', () => {
    expect(settleSettings({}, project()).host).toBe('127.0.0.1');
    expect(settleSettings({}, project({ host: '::1' })).host).toBe('::1');
    expect(settleSettings({ host: '0.0.0.0' }, project({ host: '::1' })).host).toBe('0.0.0.0');
  });

  it.each(['abc', '70000', '65536', '-1', '3000.5', '', '0x10', ' 80'])('refuses --port %j', (port) => {
    expect(() => settleSettings({ port }, project())).toThrow(UsageError);
    expect(() => settleSettings({ port }, project())).toThrow(`--port is '${port}'`);
  });

  it.each(['0', '2', '65535'])('takes the port %s from a flag and from PORT', (port) => {
    expect(settleSettings({ port, inspect: port }, project())).toMatchObject({
      port: Number(port),
      inspect: Number(port),
    });
    vi.stubEnv('PORT', port);
    expect(settleSettings({}, project()).port).toBe(Number(port));
  });

  it.each(['http', '65536'])('refuses %s as PORT and --inspect, and names what it is', (value) => {
    expect(() => settleSettings({ inspect: value }, project())).toThrow(`--inspect is '${value}'`);
    vi.stubEnv('PORT', value);
    expect(() => settleSettings({}, project())).toThrow(`PORT is '${value}'`);
  });

  it('refuses ports that no browser opens', () => {
    const says = 'is 6000: browsers and fetch refuse to open that port';
    expect(() => settleSettings({ port: '6000' }, project())).toThrow(`--port ${says}`);
    expect(() => settleSettings({}, project({ backend_port: 6000 }))).toThrow(
      `backend_port in fw.toml ${says}`,
    );
    vi.stubEnv('PORT', '6000');
    expect(() => settleSettings({}, project())).toThrow(`PORT ${says}`);
    expect(settleSettings({ inspect: '6000', port: '6001' }, project()).port).toBe(6001);
  });

  it('uses 9229 for a bare --inspect', () => {
    expect(settleSettings({ inspect: true }, project()).inspect).toBe(9229);
    expect(settleSettings({ inspect: '9300' }, project()).inspect).toBe(9300);
    expect(() => settleSettings({ inspect: 'x' }, project())).toThrow("--inspect is 'x'");
  });

  it('knows when others than this machine may ask', () => {
    const isOpened = (flags: Parameters<typeof settleSettings>[0], dev = {}) =>
      settleSettings(flags, project(dev)).isOpened;
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) expect(isOpened({ host })).toBe(false);
    for (const host of ['0.0.0.0', '::', '192.168.1.5', '127.evil.example']) {
      expect(isOpened({ host })).toBe(true);
    }
    expect(isOpened({ allowedHost: ['a.example'] })).toBe(true);
    expect(isOpened({}, { allowed_hosts: ['*'] })).toBe(true);
  });

  it('names a missing entry', () => {
    expect(() => settleSettings({}, project({ entry: 'src/server.ts' }))).toThrow(
      'which fw.toml names as dev.entry',
    );
    rmSync(join(root, 'src/main.ts'));
    expect(() => settleSettings({}, project())).toThrow(/^there is no .*main\.ts$/);
  });
});

describe('workerEnvironment', () => {
  it('adds .env to the variables of the shell, and sets the port', () => {
    writeFileSync(join(root, '.env'), 'FW_A=file\nFW_B=file\nPORT=1\n');
    vi.stubEnv('FW_A', 'shell');
    vi.stubEnv('NODE_ENV', undefined);
    expect(workerEnvironment(root, 3100)).toMatchObject({
      FW_A: 'shell',
      FW_B: 'file',
      PORT: '3100',
      NODE_ENV: 'development',
    });
  });

  it('keeps NODE_ENV unless it is empty', () => {
    vi.stubEnv('NODE_ENV', 'test');
    expect(workerEnvironment(root, 3100).NODE_ENV).toBe('test');
    vi.stubEnv('NODE_ENV', '');
    expect(workerEnvironment(root, 3100).NODE_ENV).toBe('development');
  });
});
