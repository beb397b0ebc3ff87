// Which changes of fw.toml apply immediately, and which are only reported, with real files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadProject } from '../../config/load.js';
import { makeProject } from '../trial-app.js';
import { settleSettings } from './dev-settings.js';
import { LiveSettings } from './live-settings.js';

let root: string;
let said: string[];
let live: LiveSettings;

beforeEach(() => {
  root = makeProject({
    'fw.toml': '',
    'src/main.ts': '',
    'src/other.ts': '',
    'inner/src/main.ts': '',
    'flag.js': '',
    'new.js': '',
  });
  said = [];
});
afterEach(() => rmSync(root, { recursive: true }));

function open(flags: Parameters<typeof settleSettings>[0] = { port: '4000' }, port = 4000): void {
  const say = (text: string) => void said.push(text);
  live = new LiveSettings(flags, settleSettings(flags, loadProject(root)), port, { note: say, warn: say });
}

function change(toml: string): void {
  writeFileSync(join(root, 'fw.toml'), toml);
  live.refresh();
}

describe('live settings', () => {
  it('apply host names, entry and modules, but not over flags', () => {
    open({ port: '4000', allowedHost: ['flag.test'], preload: ['./flag.js'] });
    change('[dev]\nallowed_hosts = ["new.test"]\nentry = "src/other.ts"\npreload = ["./new.js"]\n');
    expect(live.allowedHosts).toEqual(expect.arrayContaining(['flag.test', 'new.test']));
    expect(live.preload).toEqual(['flag.js', 'new.js'].map((name) => pathToFileURL(join(root, name)).href));
    expect(live.entry).toBe(join(root, 'src/other.ts'));
    expect(said).toEqual([]);
  });

  it('say once which lines of .env are not understood', () => {
    open();
    writeFileSync(join(root, '.env'), 'A=1\nsecret\n');
    live.checkEnvFile();
    live.refresh();
    expect(said).toEqual([expect.stringMatching(/^\.env:2 is not read: write NAME=value/)]);
  });

  it('say once that the page about the app needs its token from now on', () => {
    let count = 0;
    const settings = settleSettings({}, loadProject(root));
    const report = { note: () => {}, warn: () => {} };
    live = new LiveSettings({}, settings, 3000, report, () => {
      count += 1;
    });
    change('[dev]\nallowed_hosts = ["new.test"]\n');
    change('[dev]\nallowed_hosts = ["new.test", "more.test"]\nworkbench_token = true\n');
    expect([count, live.isTokenOfUse, live.isTokenRequired]).toEqual([1, true, true]);
    change('');
    expect([count, live.isTokenOfUse, live.isTokenRequired]).toEqual([1, false, false]);
  });

  it('keep the last valid values, and report what is wrong', () => {
    open();
    change('[dev]\nallowed_hosts = ["new.test"]\n');
    change('[dev]\nallowed_hosts = 3\n');
    expect(live.allowedHosts).toContain('new.test');
    expect(said).toEqual([expect.stringContaining('dev.allowed_hosts is 3')]);
    change('[dev]\nentry = "src/nowhere.ts"\n');
    expect(live.entry).toBe(join(root, 'src/main.ts'));
    expect(said[1]).toContain('nowhere.ts, which fw.toml names as dev.entry');
  });

  it.each([
    ['[dev]\nhost = "0.0.0.0"\n', 'host = "0.0.0.0"'],
    ['[dev]\nhot_reload = false\n', 'hot_reload = false'],
    ['[project]\nroot = "inner"\n', 'root = "inner"'],
  ])('report once what requires a restart: %j', (toml, what) => {
    open();
    change(toml);
    live.refresh();
    expect(said).toEqual([`the settings now say ${what}: restart fw dev to use it`]);
    expect(live.entry).toBe(join(root, 'src/main.ts'));
    change('');
    change(toml);
    expect(said).toHaveLength(2);
  });

  it('report once that files are not looked at again and again any more', () => {
    writeFileSync(join(root, 'fw.toml'), '[dev]\npoll_interval = 500\n');
    open();
    change('');
    live.refresh();
    expect(said).toEqual(['the settings now say no poll_interval: restart fw dev to use it']);
  });

  it('report a frontend with another folder, other files and another port, and one that is gone', () => {
    for (const folder of ['web', 'page', 'node_modules/vite']) mkdirSync(join(root, folder));
    for (const folder of ['web', 'page']) writeFileSync(join(root, folder, 'vite.config.ts'), '');
    writeFileSync(join(root, 'node_modules/vite/package.json'), '{"bin":"vite.js"}');
    const first = '[dev]\nfrontend_port = 5173\n';
    writeFileSync(join(root, 'fw.toml'), first);
    open();
    change(`${first}frontend_path = "page"\n`);
    change(`${first}frontend_allow = ["shared"]\n`);
    change('[dev]\nfrontend_port = 5174\n');
    change('');
    const what = [
      'frontend_path = "page"',
      'another frontend_allow',
      'frontend_port = 5174',
      'no frontend_port',
    ];
    expect(said).toEqual(what.map((one) => `the settings now say ${one}: restart fw dev to use it`));
  });

  it('report a changed port if no flag sets it, but not the port that is already open', () => {
    open({}, 3000);
    change('[dev]\nbackend_port = 3000\n');
    expect(said).toEqual([]);
    change('[dev]\nbackend_port = 3100\n');
    expect(said).toEqual(['the settings now say port 3100: restart fw dev to use it']);
  });

  it('know the mistake that they have reported, until it is fixed', () => {
    open();
    change('[dev]\nbackend_port = abc\n');
    expect(live.problem).toMatch(/^fw\.toml:2:16: /);
    expect(said).toEqual([live.problem]);
    change('');
    expect(live.problem).toBeUndefined();
  });
});
