// Conformance: a client that writes bytes as given, for what no well-behaved client sends.
import { connect } from 'node:net';

/** Writes the text (latin1) in the given pieces and reads until the server closes or goes quiet. */
export function exchange(port: number, pieces: string | readonly string[], quietMs = 150): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let quiet: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(quiet);
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('close', finish);
    socket.on('data', (chunk: string) => {
      answer += chunk;
      clearTimeout(quiet);
      quiet = setTimeout(finish, quietMs);
    });
    socket.on('connect', async () => {
      for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
        await new Promise((written) => socket.write(piece, 'latin1', written));
      }
    });
  });
}

/** Status codes of all answers in a text, in order. */
export function statuses(answer: string): number[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]));
}
