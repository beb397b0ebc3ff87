// Makes the app a git repository, without a commit; it is not an error if git is missing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export async function gitInit(directory: string): Promise<boolean> {
  const child = spawn('git', ['init', '--quiet'], { cwd: directory, env: outside(), stdio: 'ignore' });
  try {
    const [code] = await once(child, 'close');
    return code === 0;
  } catch {
    return false;
  }
}

/** Inside a git hook these variables point at the repository of the hook. */
function outside(): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = process.env;
  return env;
}
