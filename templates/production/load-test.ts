// `npm run load`: how many requests a running app answers, and how fast.
//   npm run load -- http://127.0.0.1:3000 --connections 50 --seconds 10
// Start the app with a RATE_LIMIT that lets one machine send so many: RATE_LIMIT=1000000 npm start
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { connections: { type: 'string', default: '50' }, seconds: { type: 'string', default: '10' } },
});
const [origin = 'http://127.0.0.1:3000'] = positionals;
const agent = new Agent({ keepAlive: true, maxSockets: Number(values.connections) });

interface Answer {
  status: number;
  body: string;
}

function send(method: string, path: string, token?: string, body?: object): Promise<Answer> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), { agent, method, headers }, async (response) => {
      try {
        const chunks = await response.setEncoding('utf8').toArray();
        resolve({ status: response.statusCode ?? 0, body: chunks.join('') });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

const credentials = { email: `${randomUUID()}@load.example`, password: randomUUID() };
const signedUp = await send('POST', '/sign-up', undefined, credentials);
if (signedUp.status !== 201) {
  console.error(`error: POST ${origin}/sign-up was answered ${signedUp.status}: ${signedUp.body}
help: start the app, and wait if it has made ten accounts for this address within the hour`);
  process.exit(1);
}
const { token } = JSON.parse(signedUp.body);

const milliseconds: number[] = [];
const statuses = new Map<string, number>();
const start = performance.now();
const end = start + Number(values.seconds) * 1000;

/** One client: one write for nine reads. */
async function client(): Promise<void> {
  for (let count = 0; performance.now() < end; count++) {
    const before = performance.now();
    const answer = await (count % 10 === 0
      ? send('POST', '/tasks', token, { title: 'Load' })
      : send('GET', '/tasks?limit=20', token)
    ).catch((error: NodeJS.ErrnoException) => ({ status: error.code ?? error.message }));
    milliseconds.push(performance.now() - before);
    const status = String(answer.status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
}
await Promise.all(Array.from({ length: Number(values.connections) }, client));
const seconds = (performance.now() - start) / 1000;
agent.destroy();

milliseconds.sort((a, b) => a - b);
const percentile = (share: number): string =>
  `${(milliseconds[Math.min(milliseconds.length - 1, Math.floor(milliseconds.length * share))] ?? 0).toFixed(1)} ms`;
console.log(
  `${milliseconds.length} requests in ${seconds.toFixed(1)} s: ${Math.round(milliseconds.length / seconds)} per second`,
);
console.log(
  `latency: p50 ${percentile(0.5)}, p90 ${percentile(0.9)}, p99 ${percentile(0.99)}, p99.9 ${percentile(0.999)}`,
);
console.log(`answers: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`);
if ([...statuses.keys()].some((status) => status !== '200' && status !== '201')) process.exitCode = 1;
