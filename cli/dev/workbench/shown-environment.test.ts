// Which variables are shown first, and which values are masked.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeProject } from '../trial-app.js';
import { environmentInfo, shownValue } from './shown-environment.js';

let root: string;
beforeEach(() => {
  root = makeProject({ 'src/main.ts': '' });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('shows what the app reads first, with the place, also if it is not set', () => {
  writeFileSync(join(root, '.env'), 'KEY=secret\nPORT=1\n');
  const worker = { KEY: 'secret', PORT: '3000', HOME: '/home/me', EMPTY: '', TERM: 'xterm' };
  const shell = { HOME: '/home/me', EMPTY: '', TERM: 'xterm' };
  const place = `${join(root, 'src/main.ts')}:3:7`;
  const reads = [{ name: 'HOME', place }, { name: 'FEATURE', place }, { name: 'TERM' }, { name: 'NO_COLOR' }];
  const at = { file: 'src/main.ts', line: 3, column: 7 };
  expect(environmentInfo(root, { worker, shell, reads })).toEqual([
    { name: 'FEATURE', readBy: 'app', place: at },
    { name: 'HOME', value: '/home/me', from: 'shell', readBy: 'app', place: at },
    { name: 'PORT', value: '3000', from: 'fw dev' },
    { name: 'KEY', value: '••••••', from: '.env' },
    { name: 'EMPTY', value: '', from: 'shell' },
    { name: 'TERM', value: 'xterm', from: 'shell', readBy: 'package' },
  ]);
});

it('shows no value that the app has said is secret', () => {
  const worker = { SIGNING: 'hunter2', UNSET: '' };
  const reads = ['SIGNING', 'UNSET', 'NONE'].map((name) => ({ name, isSecret: true as const }));
  const shown = environmentInfo(root, { worker, shell: {}, reads });
  expect(shown.map(({ name, value }) => [name, value])).toEqual([
    ['SIGNING', '••••••'],
    ['UNSET', ''],
  ]);
});

it.each([
  'PATH=/usr/bin',
  'HOME=/home/me',
  'PUBLIC_URL=https://shop.example/a',
  'PWD=/home/me/shop',
  'SSH_AUTH_SOCK=/run/agent',
  'SSL_CERT_FILE=/etc/ca.pem',
  'KEYBOARD=de',
  'VITE_PUBLIC_KEY=pk',
  'API_KEY=',
  'REDIS_URL=redis://localhost:6379/0?db=1',
])('shows %s', (pair) => {
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  expect(shownValue(name, value)).toBe(value);
});

it.each([
  ['API_KEY', 'k', '••••••'],
  ['STRIPE_KEY', 'k', '••••••'],
  ['SESSION_SECRET', 's', '••••••'],
  ['PGPASSWORD', 'p', '••••••'],
  ['DB_PASS', 'p', '••••••'],
  ['NPM_TOKEN_FILE', 't', '••••••'],
  ['ANY', 'ghp_abcdefghijklmnop', '••••••'],
  ['ANY', 'AKIA0123456789ABCDEF', '••••••'],
  ['ANY', '-----BEGIN RSA PRIVATE KEY-----\nabc', '••••••'],
  ['ANY', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x', '••••••'],
  ['DATABASE_URL', 'postgres://me:p%40ss@db:5432/shop', 'postgres://me:••••••@db:5432/shop'],
  ['DATABASE_URL', 'postgres://me:pa/ss@x@db/shop', 'postgres://me:••••••@db/shop'],
  ['BROKERS', 'amqp://a:b@one,amqp://c:d@two', 'amqp://a:••••••@one,amqp://c:••••••@two'],
  ['REPO', 'https://abcdefghijklmnopqrst@github.com/x', 'https://••••••@github.com/x'],
  ['DB', 'Server=db;User=me;Password=p;Port=1', 'Server=db;User=me;Password=••••••;Port=1'],
  ['CALLBACK', 'https://x.example/?token=t&a=1', 'https://x.example/?token=••••••&a=1'],
  ['CONFIG', '{"password":"p","a":1}', '{"password":"••••••","a":1}'],
])('masks %s=%s', (name, value, shown) => {
  expect(shownValue(name, value)).toBe(shown);
});
