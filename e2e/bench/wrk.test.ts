import { describe, expect, it } from 'vitest';
import { readWrk } from './wrk.js';

const output = (latency: string, rest = '') => `Running 2s test @ http://127.0.0.1:21000/json
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.46ms  312.00us   8.61ms   92.01%
    Req/Sec    43.85k     1.21k   45.67k    85.00%
  Latency Distribution
     50%    1.39ms
     75%    1.50ms
     90%    1.70ms
     99%    ${latency}
  87212 requests in 2.00s, 18.30MB read
${rest}Requests/sec:  43592.11
Transfer/sec:      9.15MB
`;

describe('readWrk', () => {
  it.each([
    ['812.00us', 0.812],
    ['2.81ms', 2.81],
    ['1.94s', 1_940],
    ['1.10m', 66_000],
  ])('reads a p99 of %s', (latency, p99Ms) => {
    expect(readWrk(output(latency))).toEqual({ perSecond: 43_592.11, p99Ms, requests: 87_212 });
  });

  it.each([['  Socket errors: connect 0, read 12, write 0, timeout 0'], ['  Non-2xx or 3xx responses: 4']])(
    'refuses a round with%s',
    (line) => {
      expect(() => readWrk(output('2.81ms', `${line}\n`))).toThrow(line.trim());
    },
  );

  it('refuses what wrk does not print', () => {
    expect(() => readWrk('unable to connect')).toThrow('not what wrk prints:\nunable to connect');
  });

  it('refuses a round without an answer', () => {
    const none = output('0.00us').replace('87212 requests', '0 requests').replace('43592.11', '0.00');
    expect(() => readWrk(none)).toThrow('no request was answered');
  });
});
