// A port for a server of a journey, and the wait until it answers.
export { freePort } from '../framework/conformance/free-port.js';

/** Resolves with the first answer, whatever it says. */
export async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 2400; attempt++) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error(`nothing answers at ${url}`);
}
