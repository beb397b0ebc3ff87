// What must not be in the package: files for tests, secrets, traces of the machine that has built it, and permissions
// that a file does not need. Each gives a line for people.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface PackedFile {
  /** Relative to the package. */
  readonly path: string;
  readonly mode: number;
  read(): Uint8Array;
}

const TEST = /\.(?:test|test-d|spec|bench)\.[cm]?[jt]sx?$|(?:^|\/)__(?:tests|snapshots|mocks)__\/|\.snap$/;
const PRIVATE =
  /(?:^|\/)(?:\.env(?:\..+)?|\.npmrc|\.yarnrc(?:\.yml)?|\.netrc|\.git|\.ssh|id_(?:rsa|ed25519))(?:\/|$)/;
const KEY = /\.(?:pem|key|p12|pfx)$/;
/** Values that are secrets wherever they are. Those of an example end in dots, or are shorter. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*(?:\\n)?[A-Za-z0-9+/]{40}/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b|:_authToken\s*=\s*[^\s$]/,
  'a token of GitHub': /\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_\w{60,}/,
  'a key of AWS': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
};

/**
 * @param binaries the paths of what users run
 * @param machine folders of the machine that has built it, without a slash at their ends
 */
export function packageFaults(
  files: readonly PackedFile[],
  binaries: readonly string[],
  machine: readonly string[],
): string[] {
  return files.flatMap((file) => [
    ...nameFaults(file.path),
    ...modeFaults(file, binaries.includes(file.path)),
    ...textFaults(file, machine),
  ]);
}

function nameFaults(path: string): string[] {
  if (TEST.test(path)) return [`${path} is for tests: leave it out of the package`];
  if (PRIVATE.test(path) || KEY.test(path)) return [`${path} may hold secrets: leave it out of the package`];
  return [];
}

function modeFaults({ path, mode }: PackedFile, isBinary: boolean): string[] {
  const wanted = isBinary ? 0o755 : 0o644;
  const actual = mode & 0o777;
  if (actual === wanted) return [];
  return [`${path} has the mode ${actual.toString(8)}, and needs ${wanted.toString(8)}: chmod it`];
}

function textFaults(file: PackedFile, machine: readonly string[]): string[] {
  const { path } = file;
  const text = textOf(file);
  // On Windows as it is, and in the text of a string.
  const spellings = machine.flatMap((folder) => [
    folder,
    folder.replaceAll('\\', '\\\\'),
    folder.replaceAll('\\', '/'),
  ]);
  const folder = spellings.find((one) => new RegExp(`${escaped(one)}(?![\\w.-])`).test(text));
  return [
    ...(folder === undefined
      ? []
      : [`${path} has ${folder}, a folder of this machine: write it relative to something`]),
    ...Object.entries(SECRETS)
      .filter(([, pattern]) => pattern.test(text))
      .map(([what]) => `${path} has what looks like ${what}: remove it, and have it revoked`),
    ...(path.endsWith('.map') ? sourceFaults(path, text) : []),
  ];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A map leads to sources below the package. */
function sourceFaults(path: string, text: string): string[] {
  const { sources, sourceRoot = '' } = JSON.parse(text) as { sources: string[]; sourceRoot?: string };
  return [...sources, sourceRoot]
    .filter((source) => /^(?:[\\/]|[A-Za-z]:|[a-z]+:\/\/)/.test(source))
    .map(
      (source) => `${path} leads to ${source}, which is only on this machine: write it relative to the map`,
    );
}

/** Of what is compressed, the content. */
function textOf({ path, read }: PackedFile): string {
  const data = read();
  const bytes = path.endsWith('.br')
    ? brotliDecompressSync(data)
    : path.endsWith('.gz')
      ? gunzipSync(data)
      : data;
  return Buffer.from(bytes).toString('utf8');
}
