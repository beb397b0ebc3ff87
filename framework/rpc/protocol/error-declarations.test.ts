// Errors that a procedure declares: what registration takes and refuses.
import { describe, expect, it } from 'vitest';
import { RpcRegistry } from '../index.js';

describe('registration', () => {
  it.each<[unknown, string]>([
    [7, `the option 'errors' of query('a') is 7; give { outOfStock:`],
    [[], `the option 'errors' of query('a') is a list; give { outOfStock:`],
    [
      { 'out of stock': {} },
      `an error of query('a') is named "out of stock", which is not an identifier; take`,
    ],
    [
      JSON.parse('{"__proto__":{}}'),
      `is named "__proto__", which is a property of every object; take a name`,
    ],
    [{ constructor: {} }, `is named "constructor", which is a property of every object`],
    [{ NotFound: {} }, `is named "NotFound", which is the name of an error of fw; take a name`],
    [
      { gone: null },
      `the error 'gone' of query('a') is null; give the schema of its data, or { data, status`,
    ],
    [{ gone: 'text' }, `the error 'gone' of query('a') is "text"; give the schema`],
    [
      { gone: { statsu: 409 } },
      `the error 'gone' of query('a') has no option 'statsu'; did you mean 'status'? there are data`,
    ],
    [{ gone: { data: {} } }, `the data of the error 'gone' of query('a') takes a Standard Schema`],
    [
      { gone: { status: 500 } },
      `the status of the error 'gone' of query('a') is 500; take one from 400 to 499`,
    ],
    [{ gone: { status: 399 } }, `is 399; take one from 400 to 499`],
    [{ gone: { status: '409' } }, `is "409"; take one from 400 to 499`],
    [
      { gone: { code: 1.5 } },
      `the code of the error 'gone' of query('a') is 1.5; take an integer, such as 4001`,
    ],
    [
      { gone: { code: -32602 } },
      `the code -32602 of the error 'gone' of query('a') has a meaning of its own`,
    ],
    [
      { gone: { code: -32500 } },
      `the code -32500 of the error 'gone' of query('a') has a meaning of its own`,
    ],
    [
      { gone: { code: -32004 } },
      `the code -32004 of the error 'gone' of query('a') has a meaning of its own`,
    ],
    [{ gone: { message: '' } }, `the message of the error 'gone' of query('a') is ""; give a text`],
    [
      { gone: { description: {} } },
      `the description of the error 'gone' of query('a') is an object; give a text`,
    ],
  ])('refuses %j', (errors, why) => {
    const query = () => new RpcRegistry().query('a', { errors: errors as never }, () => 1);
    expect(query).toThrow(why);
  });

  it('has a code for each mistake in an error', () => {
    expect(() => new RpcRegistry().query('a', { errors: { NotFound: {} } }, () => 1)).toThrow(
      expect.objectContaining({ name: 'ConfigError', code: 'FW_RPC_ERROR_NAME' }),
    );
  });

  it.each([-32000, -32050, 0, 404, 4001, -40000])('takes the code %d', (code) => {
    expect(() => new RpcRegistry().query('a', { errors: { gone: { code } } }, () => 1)).not.toThrow();
  });

  it('takes no errors at all', () => {
    const rpc = new RpcRegistry().query('a', { errors: {} }, () => 1);
    expect(rpc.types().procedures.a).not.toHaveProperty('errors');
  });
});
