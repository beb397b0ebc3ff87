// For tests of apps that sign in over and over: hashes passwords with a 128th of the work. A setup of the templates'
// tests, and loaded with --import by those of scaffolded apps (e2e/registry.test.ts). What a hash really costs is spent
// by the tests of fw/password, and by those of the apps that are installed with npm.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
/** The text of a hash still names the usual work: it is only made and compared in the same process. */
const CHEAP = { N: 2 ** 10, r: 8, p: 1 };

crypto.scrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, ...CHEAP }, done);
syncBuiltinESMExports();
