// Lists the cases of the Autobahn test suite that the unit tests run: npx tsx .ci/autobahn.ts [--update]. With
// --update it writes the page of the documentation, otherwise it prints it.
import { writeFileSync } from 'node:fs';
import { conformancePage } from '../framework/conformance/autobahn/report.js';

const page = new URL('../framework/docs/websocket-conformance.md', import.meta.url);
if (process.argv.includes('--update')) writeFileSync(page, conformancePage());
else console.log(conformancePage());
