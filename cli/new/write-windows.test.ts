// Files that are written while Windows refuses to rename what another program has open.
import { expect, it } from 'vitest';
import { onWindows } from '../files/trial-windows.js';

it('writes an app and a generated file though renaming fails at first', async () => {
  const code = `
    import { readFileSync } from 'node:fs';
    import { writeIfChanged } from './framework/files/write-file.ts';
    import { write } from './cli/new/write.ts';
    process.env.FW_TRIAL_BUSY = 'at first';
    await writeIfChanged('C:\\\\work\\\\client.ts', 'new');
    const files = ['new.txt', 'README.md'].map((path) => ({ path, content: Buffer.from('new'), executable: false }));
    write('C:\\\\work\\\\app', false, files);
    write('C:\\\\work', true, files).keep();
    const names = ['client.ts', 'app\\\\README.md', 'README.md', 'new.txt'];
    console.log(JSON.stringify(names.map((name) => readFileSync('C:\\\\work\\\\' + name, 'utf8'))));
  `;
  expect(await onWindows(code, { 'work/client.ts': 'old', 'work/README.md': 'old' })).toEqual([
    'new',
    'new',
    'new',
    'new',
  ]);
});
