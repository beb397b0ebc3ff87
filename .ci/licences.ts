// Licences of what is in the package: the list in dist/LICENSES.md, and which ones may be there.
import parse, { type Expression } from 'spdx-expression-parse';
import type { BundledPackage } from './bundled-packages.js';

/** They ask for no more than their notice, which LICENSES.md has. */
const PERMITTED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
]);

/** Whether it, or one of those that it offers, asks for no more than a notice. */
export function isPermittedLicence(expression: string): boolean {
  try {
    return permits(parse(expression));
  } catch {
    return false;
  }
}

function permits(expression: Expression): boolean {
  if ('license' in expression) return PERMITTED.has(expression.license);
  const { left, conjunction, right } = expression;
  return conjunction === 'or' ? permits(left) || permits(right) : permits(left) && permits(right);
}

/** The licence text of every package that ended up inside a bundle, each text once. */
export function licenceList(packages: readonly BundledPackage[]): string {
  const bodies = new Map<string, string[]>();
  for (const { name, version, licence, licenceText } of packages) {
    const [notice, body] = noticeAndBody(licenceText);
    const notices = bodies.get(body) ?? [];
    bodies.set(body, [...notices, `${licenceHeading({ name, version, licence })}\n\n${notice}`.trimEnd()]);
  }
  const texts = [...bodies].map(([body, notices]) => `${notices.join('\n\n')}\n\n${body}\n`);
  return `# Packages bundled into fw\n\n${texts.join('\n')}`;
}

function licenceHeading({ name, version, licence }: Omit<BundledPackage, 'path' | 'licenceText'>): string {
  return `## ${name} ${version} (${licence})`;
}

/** What is missing in a list of licences; empty if it has each package, with its notice and its text. */
export function missingInLicenceList(list: string, packages: readonly BundledPackage[]): string[] {
  const lines = list.split('\n');
  return packages.flatMap((one) => {
    const heading = lines.indexOf(licenceHeading(one));
    if (heading === -1) return [`${one.name} ${one.version} (${one.licence}) has no heading`];
    if (one.licenceText === '') return [`${one.name} ${one.version} has no file with its licence`];
    const after = lines.slice(heading + 1).join('\n');
    const missing = noticeAndBody(one.licenceText).filter((text) => !after.includes(text));
    return missing.map((text) => `${one.name} ${one.version} misses of its licence: ${text.slice(0, 80)}`);
  });
}

/** The copyright notice of a licence, and its text, which several packages have in common. */
function noticeAndBody(text: string): [notice: string, body: string] {
  const start = text.indexOf('Permission is hereby granted');
  if (start === -1) return ['', text];
  return [text.slice(0, start).trim(), text.slice(start).replace(/\s+/g, ' ')];
}
