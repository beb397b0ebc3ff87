// How a URL is opened on each system.
import { expect, it } from 'vitest';
import { browserCommand } from './open-browser.js';

it('opens a URL with what the system has, on Windows without a console window', () => {
  const url = 'http://127.0.0.1:3000/_fw/?a=1&b=2';
  const options = { stdio: 'ignore', detached: true };
  expect(browserCommand(url, 'darwin')).toEqual({ command: 'open', args: [url], options });
  expect(browserCommand(url, 'linux')).toEqual({ command: 'xdg-open', args: [url], options });
  expect(browserCommand(url, 'win32')).toEqual({
    command: 'cmd',
    args: ['/c', 'start', '', 'http://127.0.0.1:3000/_fw/?a=1^&b=2'],
    options: { stdio: 'ignore', windowsHide: true },
  });
});
