// Every case has the same response over the fetch path, fw's own server, and inside a foreign node:http server.
import { describe, it } from 'vitest';
import { areas } from './areas.js';
import { checkAnswer } from './check-answer.js';
import { transports } from './transports.js';

/** Mutation testing (.ci/mutation.ts) names the areas and the transport that test the mutated sources. */
const { FW_CONFORMANCE_AREAS: onlyAreas, FW_CONFORMANCE_TRANSPORT: onlyTransport } = process.env;
const chosenAreas = onlyAreas === undefined ? Object.keys(areas) : (JSON.parse(onlyAreas) as string[]);
const chosenTransports = Object.entries(transports).filter(
  ([name]) => onlyTransport === undefined || name === onlyTransport,
);

for (const area of chosenAreas) {
  const cases = areas[area];
  if (cases === undefined) throw new Error(`FW_CONFORMANCE_AREAS names '${area}', which is not an area`);
  describe.each(chosenTransports)(`${area} over %s`, (transport, send) => {
    for (const one of cases) {
      it.skipIf(transport === 'fetch' && one.socketsOnly !== undefined)(one.name, async () => {
        checkAnswer(one, await send(one.app(), one.request));
        await one.afterwards?.();
      });
    }
  });
}
