import { expect, it } from 'vitest';
import { isOnlyGiven } from './given-contract.js';

const file = '/app/src/rpc-contract.json';
const imported = "import contract from './rpc-contract.json' with { type: 'json' };\n";

it.each([
  ['the contract', `${imported}rpc.loadContract(contract);`],
  ['the contract under its old name', `${imported}rpc.useContract(contract);`],
  [
    'comments about it',
    `// The contract.\n/**\n * The contract.\n */\n${imported}rpc.loadContract( contract ).query('x', f);`,
  ],
  ['other names', `${imported}const contracts = 1;\nrpc.loadContract(contract).query('x', () => contracts);`],
  ['two registries', `${imported}rpc.loadContract(contract);\nmore.loadContract(contract);`],
])('is given with %s', (_what, code) => {
  expect(isOnlyGiven(file, code)).toBe(true);
});

it.each([
  ['is returned by a procedure', `${imported}rpc.loadContract(contract).query('all', () => contract);`],
  ['is a type', `${imported}type All = typeof contract;`],
  ['is one of the arguments', `${imported}rpc.loadContract(contract, 1);`],
  ['is exported', `${imported}export { contract };`],
  ['is imported twice', `${imported}type All = typeof import('./rpc-contract.json');`],
  ['is required', "import contract = require('./rpc-contract.json');\nrpc.loadContract(contract);"],
  [
    'is imported with others',
    "import contract, * as all from './rpc-contract.json';\nrpc.loadContract(contract);",
  ],
  ['is a property', `${imported}rpc.loadContract({ contract });`],
  ['is not imported here', 'rpc.loadContract(contract);'],
  ['is used behind a comment', `${imported}rpc.loadContract(contract);\n/* all */ export default contract;`],
  [
    'is a part of a text',
    `${imported}rpc.loadContract(contract);\nconst all = \`\n// ${'$'}{contract.version}\n\`;`,
  ],
  ['has a name with $', "import $all from './rpc-contract.json';\nrpc.loadContract($all, $all);"],
])('may be used otherwise if it %s', (_what, code) => {
  expect(isOnlyGiven(file, code)).toBe(false);
});
