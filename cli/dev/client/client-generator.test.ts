// What a cycle waits for, what is generated later, and what is not generated at all; with a generator of the test.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import picocolors from 'picocolors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../../framework/files/absolute-path.js';
import type { GenerateSettings } from '../../generate/generate-settings.js';
import type { Outcome } from '../../generate/outcome.js';
import { CliError } from '../../terminal/errors.js';
import type { Change } from '../../watch/change.js';
import { ClientGenerator, type GenerationEvents } from './client-generator.js';
import { ClientReport } from './client-report.js';

interface Order {
  readonly changed: readonly string[];
  readonly events: GenerationEvents;
  answer(outcome: Outcome): void;
}

const upToDate: Outcome = { ok: true, written: [], change: undefined, warnings: [] };

let root: AbsolutePath;
let settings: GenerateSettings | undefined;
let orders: Order[];
let started: number;
let ended: number;
let hurried: number;
let output: string;
let lateContracts: string[][];
let client: ClientGenerator;

function open(timeout = 20_000, idleTime = 60_000): ClientGenerator {
  const terminal = {
    colors: picocolors.createColors(false),
    isTTY: false,
    clear: () => {},
    print: (line: string) => {
      output += `${line}\n`;
    },
  };
  return new ClientGenerator({
    root,
    settle: () => settings,
    report: new ClientReport(root, terminal),
    onInputs: () => {},
    onLateContract: (files) => lateContracts.push(files),
    timeout,
    idleTime,
    start() {
      started += 1;
      return {
        alive: true,
        generate: (changed, events) =>
          new Promise((answer) => {
            orders.push({ changed, events, answer });
          }),
        newer() {
          hurried += 1;
        },
        end: async () => {
          ended += 1;
        },
      };
    },
  });
}

function change(files: AbsolutePath[], environment = false): Change {
  return { what: 'test', files, rebuild: true, environment, began: performance.now() };
}

const file = (name: string): AbsolutePath => pathIn(root, name);

/** Whether it has settled after all pending callbacks have run. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<false>((resolve) => setTimeout(resolve, 5, false));
  return Promise.race([work.then(() => true), turn]);
}

async function answer(index: number, outcome: Outcome = upToDate): Promise<void> {
  orders[index]?.answer(outcome);
  await new Promise((done) => setTimeout(done, 1));
}

beforeEach(() => {
  root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-client-')));
  settings = {
    root,
    client: { entry: file('src/generate-client.ts'), files: { source: file('client.ts') } },
    contract: file('src/rpc-contract.json'),
    baseUrl: undefined,
  };
  orders = [];
  started = 0;
  ended = 0;
  hurried = 0;
  output = '';
  lateContracts = [];
  client = open();
});
afterEach(async () => {
  await client.close();
  rmSync(root, { recursive: true });
});

describe('a client generator', () => {
  it('ends its process when nothing changes, and the next change does not wait for another one', async () => {
    client = open(20_000, 300);
    client.start();
    await answer(0);
    await expect.poll(() => ended).toBe(1);
    expect(client.generate(change([file('src/main.ts')]))).toBeUndefined();
    expect(started).toBe(2);
    orders[1]?.events.onContract([file('src/rpc-contract.json')]);
    await answer(1);
    await expect.poll(() => lateContracts).toEqual([[file('src/rpc-contract.json')]]);
    expect(client.generate(change([file('src/main.ts')]))).toBeDefined();
    expect(started).toBe(2);
  });

  it('starts nothing if there is no client to update', () => {
    settings = undefined;
    client = open();
    client.start();
    expect(client.generate(change([file('src/rpc.ts')]))).toBeUndefined();
    expect(started).toBe(0);
  });

  it('starts when the app gets a client', async () => {
    const later = settings;
    settings = undefined;
    client = open();
    client.start();
    settings = later;
    expect(client.generate(change([file('src/generate-client.ts')]))).toBeDefined();
    expect(orders[0]?.changed).toEqual([file('src/generate-client.ts')]);
  });

  it('notifies the generator of a newer change only during a run, and only if files changed', async () => {
    client.start();
    await answer(0);
    client.generate(change([file('src/rpc.ts')]));
    expect(hurried).toBe(0);
    client.generate(change([file('src/tasks.ts')]));
    expect(hurried).toBe(1);
    await answer(1);
    expect(orders).toHaveLength(3);
  });

  it('generates at its start, and has the server rebuilt if that changed the contract', async () => {
    expect(client.generate(change([file('src/rpc.ts')]))).toBeUndefined();
    client.start();
    expect(orders.map(({ changed }) => changed)).toEqual([[]]);
    orders[0]?.events.onContract([file('src/rpc-contract.json')]);
    await answer(0, { ...upToDate, written: [file('client.ts')] });
    expect(lateContracts).toEqual([[file('src/rpc-contract.json')]]);
    expect(output).toMatch(/client\.ts written\n$/);
  });

  it('has a cycle wait first for the contract, then for the complete result', async () => {
    client.start();
    await answer(0);
    const generating = client.generate(change([file('src/rpc.ts')]));
    if (!generating) throw new Error('nothing to wait for');
    expect(generating.sources).toEqual([file('src/rpc-contract.json')]);
    expect(await isSettled(generating.settled)).toBe(false);
    orders[1]?.events.onContract([file('src/rpc-contract.json')]);
    await generating.settled;
    expect(await isSettled(generating.done)).toBe(false);
    await answer(1, {
      ...upToDate,
      written: [file('client.ts')],
      change: { procedures: 2, breaking: ['a: the query was removed'] },
    });
    await generating.done;
    expect(output).toContain('client.ts written · 2 procedures changed\n');
    expect(output).toContain('breaks older clients: a: the query was removed\n');
    expect(lateContracts).toEqual([]);
  });

  it('ignores the changes that it has written, until the file is edited', async () => {
    client.start();
    orders[0]?.events.onWrites(file('client.ts'), 'generated');
    writeFileSync(file('client.ts'), 'generated');
    await answer(0);
    expect(client.isOwn(file('client.ts'))).toBe(true);
    expect(client.generate(change([file('client.ts')]))).toBeUndefined();
    writeFileSync(file('client.ts'), 'by hand');
    expect(client.isOwn(file('client.ts'))).toBe(false);
    expect(client.generate(change([file('client.ts')]))).toBeDefined();
  });

  it('collects the changes during a run', async () => {
    client.start();
    const first = client.generate(change([file('a.ts')]));
    const second = client.generate(change([file('b.ts')]));
    await answer(0);
    expect(orders[1]?.changed).toEqual([file('a.ts'), file('b.ts')]);
    await answer(1);
    await Promise.all([first?.done, second?.done]);
    expect(orders).toHaveLength(2);
  });

  it('lets the server start during a run that hangs, and lets no cycle wait until it has ended', async () => {
    client = open(5);
    client.start();
    await answer(0);
    await client.generate(change([file('a.ts')]))?.done;
    expect(output).toContain('not ready after 0.005 s, fw dev goes on without it');
    expect(client.generate(change([file('b.ts')]))).toBeUndefined();
    orders[1]?.events.onContract([file('src/rpc-contract.json')]);
    await answer(1);
    expect(lateContracts).toEqual([[file('src/rpc-contract.json')]]);
    await answer(2);
    expect(client.generate(change([file('c.ts')]))).toBeDefined();
  });

  it('restarts with changed settings, without letting a cycle wait', async () => {
    client.start();
    await answer(0);
    expect(client.generate(change([file('.env')], true))).toBeUndefined();
    expect([started, ended]).toEqual([2, 1]);
    await answer(1);
    expect(client.generate(change([file('.env'), file('src/rpc.ts')], true))).toBeDefined();
    expect([started, ended]).toEqual([3, 2]);
  });

  function withInvalidSettings(known?: string): ClientGenerator {
    return new ClientGenerator({
      root,
      settle() {
        throw new CliError('client.ts is a directory', { help: 'name the file' });
      },
      report: new ClientReport(root, {
        colors: picocolors.createColors(false),
        isTTY: false,
        clear: () => {},
        print: (line) => {
          output += line;
        },
      }),
      known: () => known,
      onInputs: () => {},
      onLateContract: () => {},
    });
  }

  it('reports invalid settings without affecting the server', () => {
    client = withInvalidSettings();
    client.start();
    expect(client.generate(change([file('a.ts')]))).toBeUndefined();
    expect(output).toContain('client: client.ts is a directory: name the file');
  });

  it('does not report a mistake again that fw dev has reported', () => {
    client = withInvalidSettings('client.ts is a directory: name the file');
    expect(output).toBe('');
  });
});
