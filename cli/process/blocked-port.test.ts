import { expect, it } from 'vitest';
import { isBlockedPort } from './blocked-port.js';

/** Whether `fetch` refuses the port without a connection. */
async function refuses(port: number): Promise<boolean> {
  const error = await fetch(`http://127.0.0.1:${port}/`).catch((thrown) => thrown);
  return error instanceof TypeError && (error.cause as Error | undefined)?.message === 'bad port';
}

it('knows the ports that fetch of Node.js refuses', async () => {
  for (const port of [1, 22, 587, 2049, 4190, 5060, 6000, 6566, 6667, 6697, 10_080]) {
    expect(isBlockedPort(port)).toBe(true);
    expect(await refuses(port)).toBe(true);
  }
  for (const port of [0, 80, 443, 3000, 4000, 5000, 5173, 6001, 8000, 8080, 9229, 65_535]) {
    expect(isBlockedPort(port)).toBe(false);
  }
});
