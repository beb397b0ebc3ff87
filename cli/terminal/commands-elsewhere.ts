// Commands that people know from other tools, and what does the same here.

const NEW = 'an app is created by: fw new';
const DEV = 'while you develop: fw dev; what was built is started by the script of the app: npm start';
const MIGRATE = 'migrations are a script of the app: npm run migrate; see: fw docs migrations';
const PACKAGES = 'packages are installed by the package manager, such as: npm install zod';
const UPGRADE = 'did you mean: fw upgrade';
const TYPES = 'types are checked by fw dev, and by the script of the app: npm run typecheck';
const DOCUMENT = 'the App serves its OpenAPI document; see: fw docs openapi';
const BY_HAND = 'routes and procedures are written by hand; see: fw docs tutorial';

const HELP: ReadonlyMap<string, string> = new Map([
  ['create', NEW],
  ['init', NEW],
  ['start', DEV],
  ['serve', DEV],
  ['run', DEV],
  ['watch', DEV],
  ['migrate', MIGRATE],
  ['migration', MIGRATE],
  ['migrations', MIGRATE],
  ['db', MIGRATE],
  ['n', 'did you mean: fw new'],
  ['d', 'did you mean: fw dev'],
  ['b', 'did you mean: fw build'],
  ['t', 'did you mean: fw test'],
  ['preview', DEV],
  ['add', PACKAGES],
  ['install', PACKAGES],
  ['i', PACKAGES],
  ['remove', PACKAGES],
  ['update', UPGRADE],
  ['outdated', UPGRADE],
  ['self-update', UPGRADE],
  ['make', BY_HAND],
  ['scaffold', BY_HAND],
  ['typecheck', TYPES],
  ['tsc', TYPES],
  ['types', TYPES],
  ['openapi', DOCUMENT],
  ['swagger', DOCUMENT],
  ['list', 'did you mean: fw routes'],
  ['ls', 'did you mean: fw routes'],
  ['client', 'did you mean: fw generate'],
  ['env', 'settings are in fw.toml, variables in .env; see: fw docs fw-toml'],
  ['config', 'settings are in fw.toml, variables in .env; see: fw docs fw-toml'],
  ['g', 'did you mean: fw generate'],
  ['codegen', 'did you mean: fw generate'],
  ['format', 'did you mean: fw fmt'],
  ['check', 'did you mean: fw doctor'],
  ['info', 'did you mean: fw doctor'],
  ['version', 'did you mean: fw --version'],
  ['-V', 'did you mean: fw --version'],
  ['deploy', 'see: fw docs deploy'],
]);

/** Undefined for words of which nothing is known. Others have commands such as `db:migrate`. */
export function helpFor(word: string): string | undefined {
  return HELP.get(word) ?? (word.includes(':') ? HELP.get(word.slice(0, word.indexOf(':'))) : undefined);
}
