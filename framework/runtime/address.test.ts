import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config-error.js';
import { formatAddress, parseAddress } from './address.js';

describe('an address to listen on', () => {
  it.each([
    [0, '127.0.0.1', 0],
    [65_535, '127.0.0.1', 65_535],
    [':3000', '127.0.0.1', 3000],
    ['0.0.0.0:80', '0.0.0.0', 80],
    ['my-host.example:65535', 'my-host.example', 65_535],
    ['[::1]:8080', '::1', 8080],
    ['[fe80::1%eth0]:1', 'fe80::1%eth0', 1],
    ['[::ffff:1.2.3.4]:1', '::ffff:1.2.3.4', 1],
  ])('%j is host %s and port %d', (address, host, port) => {
    expect(parseAddress(address)).toEqual({ host, port });
  });

  it.each([
    [{ port: 4000 }, "listen(4000), or both as a text, such as listen('0.0.0.0:4000')"],
    [{ port: 4000, host: '::1' }, "listen('[::1]:4000')"],
    [
      { hostname: 'localhost', port: '80' },
      "listen(3000), or both as a text, such as listen('localhost:3000')",
    ],
  ])('%j, as others take it, is refused with what to write', (address, says) => {
    expect(() => parseAddress(address as never)).toThrow(says);
  });

  it.each([
    '',
    'x',
    'x:',
    ':',
    'x:1 ',
    ' x:1',
    'a b:1',
    'a/b:1',
    '[]:1',
    '[::1]',
    '[x:1',
    'x]:1',
    '::1:1',
    'x:123456',
    'x:1a',
  ])('%j is refused with the forms that are accepted', (address) => {
    expect(() => parseAddress(address)).toThrow(
      new ConfigError(
        'FW_ADDRESS',
        `cannot listen on '${address}': give a port, 'host:port' or '[::1]:port'`,
      ),
    );
  });

  it.each(['80', '3000', '123456'])('%j as a string is not a port', (address) => {
    expect(() => parseAddress(address)).toThrow(
      new ConfigError(
        'FW_ADDRESS',
        `cannot listen on '${address}': give the port as a number, or write ':${address}'`,
      ),
    );
  });

  it.each([
    [65_536, '65536'],
    [-1, '-1'],
    [0.5, '0.5'],
    [Number.NaN, 'NaN'],
    ['x:65536', "'x:65536'"],
  ])('%j is out of range', (address, shown) => {
    expect(() => parseAddress(address)).toThrow(
      new ConfigError('FW_ADDRESS_PORT', `cannot listen on ${shown}: a port is 0 to 65535`),
    );
  });

  it('is shown as in a URL', () => {
    expect(formatAddress({ host: '127.0.0.1', port: 1 })).toBe('127.0.0.1:1');
    expect(formatAddress({ host: '::1', port: 1 })).toBe('[::1]:1');
  });
});
