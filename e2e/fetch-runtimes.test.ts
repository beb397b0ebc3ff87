// The conformance cases on Bun, on Deno, in a runtime of workers and as functions of AWS Lambda, with the built package.
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areas } from '../framework/conformance/areas.js';
import { checkAnswer } from '../framework/conformance/check-answer.js';
import { send } from '../framework/conformance/transports.js';
import { differenceOf } from './fetch-runtimes/differences.js';
import { runtimes, type Serving } from './fetch-runtimes/runtimes.js';
import { checkout, temporaryDirectory } from './packed.js';

describe.each(Object.entries(runtimes))('%s', (name, { program, start }) => {
  if (program === undefined) {
    it.skipIf(process.env.CI === undefined)('is installed by: cd e2e/fetch-runtimes && npm ci', () => {
      expect(program).toBeDefined();
    });
    return;
  }
  let serving: Serving;
  const agent = new Agent({ keepAlive: false });
  beforeAll(async () => {
    serving = await start(program, checkout, temporaryDirectory());
  });
  afterAll(async () => {
    agent.destroy();
    await serving.stop();
  });

  for (const [area, cases] of Object.entries(areas)) {
    describe(area, () => {
      for (const [index, one] of cases.entries()) {
        const difference = differenceOf(name, area, one.name);
        // Fails once a runtime answers alike, so that the list of differences stays true.
        const check = difference === undefined ? it : it.fails;
        check(difference === undefined ? one.name : `${one.name}: ${difference}`, async () => {
          const { port, sent } = serving.reach(area, index, one.request);
          checkAnswer(one, await send(port, sent, agent));
        });
      }
    });
  }
});
