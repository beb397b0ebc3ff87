// How a URL is opened on each system.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { browserCommand, openBrowser } from './open-browser.js';

vi.mock('node:child_process', () => ({ spawn: vi.fn() }));

it('waits for no browser, and says what to do where there is none', () => {
  const child = Object.assign(new EventEmitter(), { unref: vi.fn() });
  vi.mocked(spawn).mockReturnValue(child as unknown as ChildProcess);
  const said: string[] = [];
  openBrowser('http://127.0.0.1:3000', (reason) => said.push(reason));
  expect(child.unref).toHaveBeenCalledOnce();
  expect(said).toEqual([]);
  child.emit('error', new Error('ENOENT'));
  const { command } = browserCommand('', process.platform);
  expect(said).toEqual([`cannot open a browser (${command} is missing): visit http://127.0.0.1:3000`]);
});

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
