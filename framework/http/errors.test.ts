import { describe, expect, it } from 'vitest';
import { asFwError, FwError, publicMessage } from './errors.js';

describe('FwError', () => {
  it.each([
    ['badRequest', 'BadRequest', 400],
    ['unauthorized', 'Unauthorized', 401],
    ['forbidden', 'Forbidden', 403],
    ['notFound', 'NotFound', 404],
    ['methodNotAllowed', 'MethodNotAllowed', 405],
    ['requestTimeout', 'RequestTimeout', 408],
    ['conflict', 'Conflict', 409],
    ['preconditionFailed', 'PreconditionFailed', 412],
    ['payloadTooLarge', 'PayloadTooLarge', 413],
    ['unsupportedMediaType', 'UnsupportedMediaType', 415],
    ['rangeNotSatisfiable', 'RangeNotSatisfiable', 416],
    ['preconditionRequired', 'PreconditionRequired', 428],
    ['validationError', 'ValidationError', 400],
    ['tooManyRequests', 'TooManyRequests', 429],
    ['internal', 'Internal', 500],
    ['databaseError', 'DatabaseError', 500],
    ['badGateway', 'BadGateway', 502],
    ['serviceUnavailable', 'ServiceUnavailable', 503],
    ['gatewayTimeout', 'GatewayTimeout', 504],
  ] as const)('%s is answered as %s with %d by default', (make, variant, status) => {
    const error = FwError[make]('why');
    expect(error).toBeInstanceOf(FwError);
    expect(error).toMatchObject({ name: 'FwError', variant, status, message: 'why' });
    const headers = { 'X-Why': 'so' };
    expect(FwError[make]('why', { status: 418, headers })).toMatchObject({ variant, status: 418, headers });
  });

  it.each([
    [FwError.notFound('no user 7'), 'no user 7'],
    [FwError.serviceUnavailable('later'), 'later'],
    [FwError.internal('password of db'), 'internal server error'],
    [FwError.databaseError('no table users'), 'internal server error'],
    [new Error('no table users'), 'internal server error'],
    [undefined, 'internal server error'],
  ])('shows of %s only what a client may see', (error, message) => {
    expect(publicMessage(error)).toBe(message);
    if (error instanceof FwError) expect(error.publicMessage).toBe(message);
  });

  it('has only the given properties, so that logs show no others', () => {
    expect(Object.keys(FwError.internal('why')).sort()).toEqual(['name', 'status', 'variant']);
    expect('cause' in FwError.internal('why')).toBe(false);
    expect('cause' in FwError.internal('why', { cause: undefined })).toBe(true);
    const cause = new Error('below');
    const issues = [{ path: ['a', 0], message: 'no' }];
    expect(FwError.validationError('why', { cause, issues })).toMatchObject({ cause, issues });
  });

  it('is distinguished from all other values that may be thrown', () => {
    const error = FwError.notFound('why');
    expect(asFwError(error)).toBe(error);
    for (const thrown of [undefined, null, 'x', new Error('x'), { variant: 'NotFound', status: 404 }])
      expect(asFwError(thrown)).toBeUndefined();
    const hostile = new Proxy(
      {},
      {
        getPrototypeOf() {
          throw new Error('asked');
        },
      },
    );
    expect(asFwError(hostile)).toBeUndefined();
  });
});

it.each([404, 'notFound', undefined, {}])('is not made with the variant %j', (variant) => {
  expect(() => new FwError(variant as never, 'x')).toThrow('write FwError.notFound(message)');
});

it.each(['404', Symbol('404'), {}])('is not made with a status that is not a number: %s', (status) => {
  expect(() => FwError.badRequest('x', { status: status as never })).toThrow('give a number from 200 to 599');
});
