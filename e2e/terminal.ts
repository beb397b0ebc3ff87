// A pseudo-terminal for journeys in which fw asks: `script` of util-linux holds it.
import { execFileSync, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Why there is no pseudo-terminal here, or undefined. */
export function terminalMissing(): string | undefined {
  try {
    const version = execFileSync('script', ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return version.includes('util-linux') ? undefined : 'script is not the one of util-linux';
  } catch {
    return 'there is no script command';
  }
}

export interface Terminal {
  /** Resolves when the output since the last call holds `text`. */
  see(text: string): Promise<void>;
  type(keys: string): void;
  /** The exit code and everything that was shown, without colours. */
  end(): Promise<{ exitCode: number | null; output: string }>;
}

export const keys = { enter: '\r', ctrlC: '\u0003', clearLine: '\u0015' } as const;

export function openTerminal(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Terminal {
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  // Without a terminal around it, script makes one of no columns.
  const command = `stty cols 100 rows 30; exec ${quoted}`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', ...env },
    stdio: 'pipe',
  });
  let output = '';
  let seen = 0;
  let changed: () => void = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += plain(text);
    changed();
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      resolve(code);
      changed();
    });
  });
  return {
    async see(text) {
      for (;;) {
        const at = output.indexOf(text, seen);
        if (at >= 0) {
          seen = at + text.length;
          return;
        }
        if (child.exitCode !== null)
          throw new Error(`ended without showing ${JSON.stringify(text)}:\n${output}`);
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
    type: (text) => void child.stdin.write(text),
    end: async () => ({ exitCode: await closed, output }),
  };
}

/** Without escape sequences. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin what is removed
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}
