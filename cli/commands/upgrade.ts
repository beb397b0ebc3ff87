// `fw upgrade`: tarball → package.json → old tarball → install → next steps.
import { relative } from 'node:path';
import { Command, Option } from 'commander';
import {
  type PackageManager,
  packageManagerFor,
  packageManagers,
  runners,
} from '../manager/package-manager.js';
import { workspaceAbove } from '../manager/workspace.js';
import { install } from '../new/install.js';
import { cdTo, commandIn, commandLine } from '../new/quote.js';
import { CliError, ExitCode } from '../terminal/errors.js';
import { printableColored } from '../terminal/printable.js';
import { fwSource } from '../vendor/fw-dependency.js';
import { ownPackage } from '../vendor/own-package.js';

interface Flags {
  fromRegistry?: boolean;
  link?: boolean;
  install: boolean;
  packageManager?: PackageManager;
  force?: boolean;
}

export const command: Command = new Command('upgrade')
  .description('Put a version of fw into the app: the one that runs, or that of a tarball.')
  .argument('[tarball]')
  .option('--from-registry', 'take fw from a registry, not as a tarball')
  .option('--link', 'depend on this clone by a link, to work on fw itself')
  .option('--no-install', 'do not install it')
  .addOption(new Option('--package-manager <pm>', "default: the project's").choices(packageManagers))
  .option('-f, --force', 'put an older version into the app')
  .addHelpText(
    'after',
    `
Writes vendor/fw-<version>.tgz, sets "fw" in package.json to it, removes the
tarball of the version before, and installs.

Examples:
  fw upgrade ../fw-1.0.0.tgz                   the version of a tarball
  npx --package=../fw-1.0.0.tgz fw upgrade     the same, by the new version
  fw upgrade --from-registry                   this version by a registry`,
  )
  .action(upgrade);

async function upgrade(given: string | undefined, flags: Flags): Promise<void> {
  const { findApp, upgradeApp } = await import('../upgrade/upgrade-app.js');
  const source = fwSource(flags);
  if (given !== undefined && source !== 'vendor') {
    throw new CliError(
      `a tarball and --${source === 'link' ? 'link' : 'from-registry'} cannot be used together`,
      {
        help: 'remove one of the two',
        exitCode: ExitCode.usage,
      },
    );
  }
  const directory = findApp(process.cwd());
  const manager = flags.packageManager ?? packageManagerFor(directory);
  const tarball =
    given === undefined ? ownPackage() : (await import('../upgrade/given-tarball.js')).readTarball(given);
  const force = flags.force ?? false;
  const done = upgradeApp(directory, tarball, { source, manager, force });
  print(
    done.written.length === 0
      ? `The app has fw ${tarball.version} already (${done.after})`
      : `fw is ${done.after} now, and was ${done.before} (${done.written.join(', ')})`,
  );
  for (const path of done.removed) print(`Removed ${path}`);
  const cd = relative(process.cwd(), directory);
  const next = (steps: readonly string[]): string =>
    ['\nNext:', ...[...cdTo(cd), ...steps].map((step) => `  ${step}`)].join('\n');
  const look = commandLine([...runners[manager], 'fw', 'doctor']);
  if (!flags.install) return print(next([`${manager} install`, look]));
  await install({
    directory,
    manager,
    signal: new AbortController().signal,
    workspace: workspaceAbove(directory, manager === 'pnpm'),
    version: source === 'registry' ? undefined : tarball.version,
    ...(done.isSameSpec && { replaced: `fw@${done.after}` }),
    toStderr: false,
    retry: commandIn(cd, `${manager} install`),
  });
  print(`${next([look])}\nWhat has changed: node_modules/fw/CHANGELOG.md`);
}

function print(text: string): void {
  process.stdout.write(`${printableColored(text)}\n`);
}
