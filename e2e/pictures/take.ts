// Takes pictures with Chromium: npm run pictures takes those of the documentation again;
// npm run pictures -- errors <folder> writes how eight errors look into a folder.
import { resolve } from 'node:path';
import { takeDocumentation } from './documentation.ts';
import { takeErrors } from './errors.ts';

const [what, folder] = process.argv.slice(2);
if (what === undefined) await takeDocumentation();
else if (what === 'errors' && folder !== undefined) await takeErrors(resolve(folder));
else {
  console.error('usage: npm run pictures [-- errors <folder>]');
  process.exitCode = 2;
}
