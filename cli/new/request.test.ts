// What flags request, which questions are asked, and which flags contradict each other.
import { describe, expect, it } from 'vitest';
import { quote } from './quote.js';
import { completeRequest, type Flags, refuseBesideList } from './request.js';
import { listTemplates } from './templates.js';

const templates = listTemplates();
const complete = (argument: string | undefined, flags: Flags, ask?: Parameters<typeof completeRequest>[3]) =>
  completeRequest(argument, flags, templates, ask);

describe('completeRequest', () => {
  it('asks nothing if all flags are given, and installs and creates a repository by default', async () => {
    const asked = (): never => {
      throw new Error('asked');
    };
    expect(await complete('app', { template: 'basic' }, asked)).toMatchObject({
      argument: 'app',
      template: { name: 'basic' },
      install: true,
      git: true,
      force: false,
    });
    expect(await complete('app', { template: 'basic', install: false, git: false }, asked)).toMatchObject({
      install: false,
      git: false,
    });
  });

  it('asks for missing values, and does not ask for given ones', async () => {
    const request = await complete(
      undefined,
      { template: 'rpc', packageManager: 'bun' },
      async (known, managerOf) => {
        expect([known, managerOf('asked')]).toEqual([{ template: 'rpc', install: undefined }, 'bun']);
        return { argument: 'asked', template: 'rpc', install: false };
      },
    );
    expect(request).toMatchObject({ argument: 'asked', install: false, packageManager: 'bun' });
  });

  it('uses the defaults with --yes', async () => {
    expect(await complete(undefined, { yes: true })).toMatchObject({
      argument: 'my-app',
      template: { name: templates[0]?.name },
    });
  });

  it('reports missing flags if there is no terminal to ask on', async () => {
    await expect(complete(undefined, {})).rejects.toThrow('missing <name> and --template <template>');
    await expect(complete('app', {})).rejects.toThrow(/^missing --template <template>; without a terminal/);
    await expect(complete(undefined, { template: 'basic' })).rejects.toThrow(/^missing <name>;/);
  });

  it('refuses a name before it asks, or shows it in an example', async () => {
    const asked = (): never => {
      throw new Error('asked');
    };
    for (const ask of [undefined, asked]) {
      await expect(complete('my app', {}, ask)).rejects.toThrow("'my app' is not a valid package name");
      await expect(complete('-lead', {}, ask)).rejects.toThrow("the name '-lead' begins with -");
    }
    await expect(complete('my folder/app', {})).rejects.toMatchObject({
      help: expect.stringContaining(`fw new ${quote('my folder/app')} --template basic`),
    });
  });

  it.each([
    [{ start: true, install: false }, '--start needs the dependencies, but --no-install leaves them out'],
    [{ start: true, json: true }, '--start and --json cannot be used together'],
    [{ start: true, dryRun: true }, '--start and --dry-run cannot be used together'],
  ])('refuses %j', async (flags, message) => {
    await expect(complete('app', { template: 'basic', ...flags })).rejects.toThrow(message);
  });

  it.each<[string | undefined, Flags, string]>([
    ['app', { list: true }, "--list and the name 'app' cannot be used together"],
    [undefined, { list: true, template: './x' }, '--list and --template cannot be used together'],
    [undefined, { list: true, install: false }, '--list and --no-install cannot be used together'],
    [undefined, { list: true, packageManager: 'npm' }, '--list and --package-manager cannot'],
  ])('refuses %j with %j', (argument, flags, message) => {
    expect(() => refuseBesideList(argument, flags)).toThrow(message);
    expect(() => refuseBesideList(undefined, { list: true, json: true })).not.toThrow();
  });

  it('refuses an unknown template before it asks', async () => {
    await expect(
      complete(undefined, { template: 'basik' }, () => Promise.reject(new Error('asked'))),
    ).rejects.toThrow(/basik/);
  });
});
