// Which program an editor is, and which ones are not opened.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openInEditor, programOf } from './open-editor.js';

it.each([
  ['vim', 'vim'],
  ['/usr/bin/nvim -f', 'nvim'],
  ['code --wait /home/me/vim', 'code'],
  ['C:\\Program Files\\Vim\\vim91\\Vim.exe', 'Vim'],
  ['C:\\Program Files\\Vim\\vim.exe -f', 'vim'],
  ['"C:\\Program Files\\Neovim\\bin\\nvim.exe" -f', 'nvim'],
  ['micro.cmd', 'micro'],
  ['C:/tools/hx.exe', 'hx'],
])('%s is %s', (editor, program) => expect(programOf(editor)).toBe(program));

it.each(['vi', 'nvim', 'emacs', 'nano', 'hx', 'helix', '/usr/bin/kak'])(
  '%s would take the terminal',
  async (editor) => {
    const root = mkdtempSync(join(tmpdir(), 'fw-editor-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    writeFileSync(join(root, 'a.ts'), '');
    vi.stubEnv('LAUNCH_EDITOR', editor);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(openInEditor({ file: 'a.ts' }, root)).rejects.toThrow(
      `${programOf(editor)} needs the terminal that fw dev uses`,
    );
  },
);
