// Finds comparisons of an AbsolutePath with another string, which TypeScript allows: npm run check:paths. One file has
// several spellings; see framework/files/absolute-path.ts.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = ts.getParsedCommandLineOfConfigFile(
  `${root}tsconfig.json`,
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  },
);
const files = (config?.fileNames ?? []).filter(
  (file) => /\/(?:cli|framework)\//.test(file) && !/\.test(?:-d)?\.ts$/.test(file),
);
const program = ts.createProgram(files, config?.options ?? {});
const checker = program.getTypeChecker();
const equal = [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken];

const faults = program
  .getSourceFiles()
  .filter(({ fileName }) => files.includes(fileName) && !fileName.endsWith('/files/absolute-path.ts'))
  .flatMap((source) => faultsIn(source, source));
for (const fault of faults) console.error(fault);
console.log(`${files.length} files: ${faults.length} comparisons of a path with another string`);
if (files.length === 0 || faults.length > 0) process.exitCode = 1;

function faultsIn(node: ts.Node, source: ts.SourceFile): string[] {
  const faults = isMixed(node) ? [`${placeOf(node, source)}: ${node.getText(source)}`] : [];
  ts.forEachChild(node, (child) => void faults.push(...faultsIn(child, source)));
  return faults;
}

/** Whether it compares a path with a string that may be spelled in another way; texts in the code are meant. */
function isMixed(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node) && equal.includes(node.operatorToken.kind)) {
    const kinds = [kindOf(node.left), kindOf(node.right)];
    return kinds.includes('path') && kinds.includes('string');
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return node.expression.name.text === 'startsWith' && kindOf(node.expression.expression) === 'path';
}

function kindOf(node: ts.Expression): 'path' | 'string' | 'other' {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node));
  if (type.aliasSymbol?.name === 'AbsolutePath') return 'path';
  return (type.flags & ts.TypeFlags.String) !== 0 ? 'string' : 'other';
}

function placeOf(node: ts.Node, source: ts.SourceFile): string {
  return `${relative(root, source.fileName)}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
}
