// Compares what the package offers, name by name with its declaration, with .ci/public-api.txt: npm run check:api. So a
// change of the public API shows in review. Where it is meant: npm run check:api -- --update
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.9';

const root = fileURLToPath(new URL('..', import.meta.url));
const list = join(root, '.ci/public-api.txt');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly types?: string } | string>>;
};
const entries = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === 'string' || target.types === undefined
    ? []
    : [[join('fw', subpath), join(root, target.types)] as const],
);
const program = ts.createProgram({
  rootNames: entries.map(([, file]) => file),
  options: {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  },
});
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

const offered = entries.map(([name, file]) => sectionOf(name, file)).join('\n');
if (process.argv.includes('--update')) {
  writeFileSync(list, offered);
} else {
  const { status, stdout } = spawnSync('git', ['diff', '--no-index', '--color=never', list, '-'], {
    input: offered,
    encoding: 'utf8',
  });
  process.stderr.write(stdout);
  if (status !== 0) {
    console.error(
      'The public API differs from .ci/public-api.txt. If that is meant: npm run check:api -- --update',
    );
    process.exit(1);
  }
}
console.log(
  `${entries.length} subpaths, ${offered.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith('#')).length} lines of declarations`,
);

/** The names of a subpath in alphabetical order, each with its declarations. */
function sectionOf(subpath: string, file: string): string {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is missing; run npm run build`);
  const named = checker.getExportsOfModule(module).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `# ${subpath}\n\n${named.map(textOf).join('\n')}\n`;
}

function textOf(exported: ts.Symbol): string {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = symbol.declarations ?? [];
  const texts = declarations.map((one) => {
    const node = ts.isVariableDeclaration(one) ? one.parent.parent : one;
    const text = printer.printNode(ts.EmitHint.Unspecified, node, one.getSourceFile());
    return text
      .replace(/^\s*(?:#private;|private [^\n]*;)\n/gm, '')
      .replace(/^(?:export )?(?:declare )?/, '');
  });
  const other = exported.name === symbol.name ? '' : `${exported.name}: `;
  return texts.map((text) => other + text).join('\n');
}
