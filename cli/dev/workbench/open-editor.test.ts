// Which program an editor is.
import { expect, it } from 'vitest';
import { programOf } from './open-editor.js';

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
