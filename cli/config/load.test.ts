// Which directory a command uses as the project.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadProject } from './load.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fw-load-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('loadProject', () => {
  it('works without fw.toml', () => {
    write('package.json', '{}');
    expect(loadProject(folder)).toEqual({
      root: folder,
      settings: { project: {}, generate: {}, dev: {} },
      configFile: undefined,
    });
  });

  it('finds fw.toml in a parent directory, but not above a package.json', () => {
    write('fw.toml', '[dev]\nbackend_port = 4000\n');
    write('src/routes/x.ts', '');
    write('packages/other/package.json', '{}');
    expect(loadProject(join(folder, 'src/routes'))).toMatchObject({
      root: folder,
      settings: { dev: { backend_port: 4000 } },
    });
    expect(loadProject(join(folder, 'packages/other')).configFile).toBeUndefined();
  });

  it('follows project.root, and prefers the outer file', () => {
    write('fw.toml', '[project]\nroot = "app"\n[dev]\nhost = "::1"\n');
    write('app/fw.toml', '[project]\nname = "inner"\n[dev]\nhost = "0.0.0.0"\nbackend_port = 5000\n');
    const project = loadProject(folder);
    expect(project.root).toBe(join(folder, 'app'));
    expect(project.settings.dev).toEqual({ host: '::1', backend_port: 5000 });
    expect(project.settings.project.name).toBe('inner');
  });

  it('takes the real path of a directory and of a root that are links', () => {
    write('app/package.json', '{}');
    symlinkSync('app', join(folder, 'link'));
    expect(loadProject(join(folder, 'link')).root).toBe(join(folder, 'app'));
    write('fw.toml', '[project]\nroot = "link"\n');
    expect(loadProject(folder).root).toBe(join(folder, 'app'));
  });

  it('is the directory itself where there is no project, not even above', () => {
    const from = join(folder, 'a/b');
    write('a/b/c.txt', '');
    expect(loadProject(from)).toMatchObject({ root: from, configFile: undefined });
  });

  it('takes each table of both files together', () => {
    write('fw.toml', '[project]\nroot = "app"\n[generate]\nbase_url = "/outer"\n');
    write('app/fw.toml', '[generate]\noutput_path = "client.ts"\nbase_url = "/inner"\n');
    expect(loadProject(folder).settings.generate).toEqual({ base_url: '/outer', output_path: 'client.ts' });
  });

  it('refuses a root that is a file', () => {
    write('fw.toml', '[project]\nroot = "app.txt"\n');
    write('app.txt', '');
    expect(() => loadProject(folder)).toThrow('fw.toml: project.root is "app.txt": no such directory');
  });

  it('names a root that does not exist', () => {
    write('fw.toml', '[project]\nroot = "nowhere"\n');
    expect(() => loadProject(folder)).toThrow('fw.toml: project.root is "nowhere": no such directory');
  });
});
