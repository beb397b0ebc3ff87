// Opens a URL in the user's browser, or reports that it cannot.
import { spawn } from 'node:child_process';

export function openBrowser(url: string, onFailure: (reason: string) => void): void {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['cmd', ['/c', 'start', '', url]]
        : ['xdg-open', [url]];
  const child = spawn(command as string, args as string[], { stdio: 'ignore', detached: true });
  child.once('error', () => onFailure(`cannot open a browser (${command} is missing): visit ${url}`));
  child.unref();
}
