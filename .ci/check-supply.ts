// Holds where the package comes from: npm run check:supply. It packs what `npm run build` has made, and looks into the
// tarball: its SBOM is a valid one and has every package that is in it, each with its licence, which is permitted and
// whose text is there; and nothing runs where the package, or an app of a template, is installed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { parseTarGzip } from 'nanotar';
import { listTemplateFolders } from '../cli/new/templates.js';
import { readBundledPackage } from './bundled-packages.js';
import { missingInLicenceList } from './licences.js';
import { type Lockfile, namesNeededBy, neededPaths } from './lockfile.js';
import { type Manifest, SBOM_FILE, type Sbom } from './sbom.js';
import { packagesImportedBy, sourceFiles } from './source-imports.js';
import {
  installScriptFaults,
  licenceFaults,
  licencesOfOthers,
  sbomFaults,
  scriptsOfOthers,
} from './supply-faults.js';
import { lockTemplates, manifestOf } from './template-locks.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'fw-supply-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));

const tarball = pack();
const packed = new Map(
  (await parseTarGzip(readFileSync(tarball))).map(({ name, text }) => [name.replace(/^package\//, ''), text]),
);
const manifest: Manifest = JSON.parse(textOf('package.json'));
const sbom: Sbom = JSON.parse(textOf(`dist/${SBOM_FILE}`));
const lock: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const bundled = (JSON.parse(readFileSync(join(root, 'dist/.built'), 'utf8')) as string[]).map((path) =>
  readBundledPackage(root, path),
);
const beside = neededPaths(lock, '', Object.keys(manifest.dependencies));
const templates = listTemplateFolders(join(root, 'templates'));

const faults = [
  ...(await invalid()),
  ...sbomFaults(sbom, manifest, bundled, packagesImportedBy(root, sourceFiles(root))),
  ...licenceFaults(bundled),
  ...missingInLicenceList(textOf('dist/LICENSES.md'), bundled).map((fault) => `dist/LICENSES.md: ${fault}`),
  ...installScriptFaults(manifest, [...packed.keys()]),
  ...scriptsOfOthers(lock, beside, [], 'fw'),
  ...licencesOfOthers(lock, beside, 'fw'),
  ...faultsOfTemplates(),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else {
  const { length } = sbom.components;
  console.log(
    `${length} packages are in the SBOM, ${bundled.length} of them in dist/, with permitted licences`,
  );
  console.log(`Nothing runs where fw, or an app of its ${templates.length} templates, is installed`);
}

function pack(): string {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', place], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const file = readdirSync(place).find((name) => name.endsWith('.tgz'));
  if (file === undefined) throw new Error('npm pack wrote no tarball');
  return join(place, file);
}

/** @throws Error if the package has no such file */
function textOf(path: string): string {
  const text = packed.get(path);
  if (text === undefined) throw new Error(`${path} is not in the package: npm run build`);
  return text;
}

async function invalid(): Promise<string[]> {
  const found = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(
    textOf(`dist/${SBOM_FILE}`),
  );
  return found === null ? [] : [`dist/${SBOM_FILE} does not follow CycloneDX 1.6: ${JSON.stringify(found)}`];
}

function faultsOfTemplates(): string[] {
  const folder = join(place, 'templates');
  mkdirSync(folder);
  const resolved = lockTemplates(folder, templates, tarball);
  return templates.flatMap((template) => {
    const { name } = template;
    const { dependencies, devDependencies, allowScripts = {} } = manifestOf(template);
    const all = neededPaths(resolved, name, Object.keys({ ...dependencies, ...devDependencies }));
    const ofUsers = neededPaths(resolved, name, namesNeededBy(resolved, name));
    if (all.length < Object.keys(devDependencies).length)
      throw new Error(`npm has not resolved the template ${name}`);
    return [
      ...scriptsOfOthers(resolved, all, Object.keys(allowScripts), `the template ${name}`),
      ...licencesOfOthers(resolved, ofUsers, `the template ${name}`),
    ];
  });
}
