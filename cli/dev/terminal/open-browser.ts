// Opens a URL in the user's browser, or reports that it cannot.
import { type SpawnOptions, spawn } from 'node:child_process';

export function openBrowser(url: string, onFailure: (reason: string) => void): void {
  const { command, args, options } = browserCommand(url, process.platform);
  const child = spawn(command, args, options);
  child.once('error', () => onFailure(`cannot open a browser (${command} is missing): visit ${url}`));
  child.unref();
}

interface BrowserCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
}

export function browserCommand(url: string, platform: NodeJS.Platform): BrowserCommand {
  if (platform === 'win32') {
    // Detached, it would have a console window of its own; for cmd.exe, `&` begins another command.
    const args = ['/c', 'start', '', url.replace(/[&^|<>()]/g, '^$&')];
    return { command: 'cmd', args, options: { stdio: 'ignore', windowsHide: true } };
  }
  const command = platform === 'darwin' ? 'open' : 'xdg-open';
  return { command, args: [url], options: { stdio: 'ignore', detached: true } };
}
