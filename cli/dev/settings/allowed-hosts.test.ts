import { expect, it } from 'vitest';
import { CliError, UsageError } from '../../terminal/errors.js';
import { checkAllowedHosts } from './allowed-hosts.js';

it('takes names, subdomains, addresses and all', () => {
  const hosts = [
    'app.test',
    'App_1.test',
    '.app.test',
    '*',
    '192.168.0.2',
    '::1',
    'host',
    'xn--mnchen-3ya.test',
  ];
  expect(checkAllowedHosts(hosts.slice(0, 2), hosts.slice(2))).toEqual(hosts);
  expect(checkAllowedHosts()).toEqual([]);
});

it.each([
  ['http://app.test:3000/x', 'app.test'],
  ['app.test:3000', 'app.test'],
  ['*.app.test', '.app.test'],
  ['[::1]', '::1'],
  ['[::1]:3000', '::1'],
  ['app.test.', 'app.test'],
  ['münchen.test', 'xn--mnchen-3ya.test'],
  ['.münchen.test', '.xn--mnchen-3ya.test'],
  ['', 'app.test'],
  [' ', 'app.test'],
  ['a,b', 'app.test'],
])('refuses %j, and says what to give', (name, meant) => {
  const thrown = (call: () => void): unknown => {
    try {
      return call();
    } catch (error) {
      return error;
    }
  };
  const message = { help: expect.stringContaining(`such as ${meant};`) };
  const flag = thrown(() => checkAllowedHosts([name]));
  expect(flag).toBeInstanceOf(UsageError);
  expect(flag).toMatchObject({ ...message, message: `--allowed-host '${name}' is not a host name` });
  const listed = thrown(() => checkAllowedHosts([], ['app.test', name]));
  expect(listed).toBeInstanceOf(CliError);
  expect(listed).toMatchObject(message);
  expect((listed as Error).message).toContain(`'${name}'`);
});
