// Makes a process see the machine of somebody else, for .ci/check-reproducible.ts: folders are listed in another order,
// and it is a day in another year. It is loaded by NODE_OPTIONS in npm and in the build.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const LATER = 500 * 24 * 3_600_000;
const { readdirSync, readdir } = fs;
const readdirOfPromises = fs.promises.readdir;

fs.readdirSync = (...args) => readdirSync(...args).reverse();
fs.readdir = (...args) => {
  const done = args.pop();
  readdir(...args, (error, names) => done(error, names?.reverse()));
};
fs.promises.readdir = async (...args) => (await readdirOfPromises(...args)).reverse();
syncBuiltinESMExports();

const { now } = Date;
Date.now = () => now() + LATER;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, made),
  apply: (target) => new target(Date.now()).toString(),
});
