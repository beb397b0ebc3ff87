// Where an app cannot be made on Windows.
import { expect, it } from 'vitest';
import { onWindows } from '../files/trial-windows.js';

it('ends at a drive or a share that does not exist', async () => {
  const code = `
    import { managerVersion } from './cli/manager/manager-version.ts';
    import { existingFolder } from './cli/files/existing-folder.ts';
    import { resolveTarget } from './cli/new/target.ts';
    const said = (argument: string) => {
      try {
        return resolveTarget(argument, undefined, 'C:\\\\work');
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    delete process.env.npm_config_user_agent;
    console.log(JSON.stringify({
      said: ['Z:\\\\app', 'a:b', '\\\\\\\\server\\\\share\\\\app', 'app'].map(said),
      existing: ['Z:\\\\app', 'C:\\\\work\\\\a\\\\b'].map((path) => existingFolder(path) ?? null),
      manager: managerVersion('npm', 'Z:\\\\app') ?? null,
    }));
  `;
  expect(await onWindows(code, { 'work/README.md': '' })).toEqual({
    said: [
      "'Z:\\app' is on 'Z:\\', which does not exist",
      "'a:b' is on 'a:\\', which does not exist",
      "'\\\\server\\share\\app' is on '\\\\server\\share\\', which does not exist",
      { directory: 'C:\\work\\app', name: 'app', exists: false },
    ],
    existing: [null, 'C:\\work'],
    manager: null,
  });
});
