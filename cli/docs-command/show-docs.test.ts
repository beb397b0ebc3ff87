// What `fw docs` prints, as JSON and in a terminal, and when it opens the workbench instead.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const openInWorkbench = vi.hoisted(() => vi.fn());
vi.mock('./open-in-workbench.js', () => ({ openInWorkbench }));

const { showDocs } = await import('./show-docs.js');

const { isTTY } = process.stdout;
let printed: string;
beforeEach(() => {
  printed = '';
  openInWorkbench.mockResolvedValue('http://127.0.0.1:3000/_fw/#/docs/sessions');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  openInWorkbench.mockReset();
  process.stdout.isTTY = isTTY;
});

it('has each page of the results once as JSON, first the one that is named', async () => {
  await showDocs(['rate', 'limiting'], { json: true });
  const [first, ...others] = JSON.parse(printed) as { page: string; heading: string }[];
  expect(first).toMatchObject({ page: 'rate-limiting', heading: '' });
  expect(others.length).toBeGreaterThan(0);
  expect(others.map(({ page }) => page)).not.toContain('rate-limiting');
  expect(openInWorkbench).not.toHaveBeenCalled();
});

it('opens the page in the workbench from a terminal, and prints it if it is told to', async () => {
  process.stdout.isTTY = true;
  await showDocs(['sessions'], {});
  expect(printed).toBe('Opened http://127.0.0.1:3000/_fw/#/docs/sessions\n');
  printed = '';
  await showDocs(['sessions'], { print: true });
  expect(printed).toContain('Sessions');
  expect(printed).not.toContain('Opened');
  expect(openInWorkbench).toHaveBeenCalledOnce();
});

it('prints the page for a program, and where no fw dev answers', async () => {
  process.stdout.isTTY = false;
  await showDocs(['sessions'], {});
  expect(openInWorkbench).not.toHaveBeenCalled();
  expect(printed).toMatch(/^# Sessions\n/);
  process.stdout.isTTY = true;
  openInWorkbench.mockResolvedValue(undefined);
  printed = '';
  await showDocs(['sessions'], {});
  expect(printed).toContain('Sessions');
  expect(printed).not.toContain('Opened');
});
