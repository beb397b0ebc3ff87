// A few requests a second against an app whose responses carry the number of the last save.
import http from 'node:http';

/** What is asked again and again. */
export interface Question {
  readonly path: string;
  /** A JSON-RPC request to post; without one, this is a GET. */
  readonly call?: string;
}

interface Answer {
  readonly version: number;
}

interface Probes {
  /** A request that begins from now on and is answered by an older version is stale. */
  seen(version: number): void;
  /** Ends the traffic, waits for the requests under way, and gives a line for each failed or stale one. */
  stop(): Promise<{ answered: number; failed: string[]; stale: string[] }>;
}

/** Every second one on a connection that is kept alive. */
export function startProbes(port: number, question: Question, rate: number): Probes {
  const keepAlive = new http.Agent({ keepAlive: true });
  const failed: string[] = [];
  const stale: string[] = [];
  const open = new Set<Promise<void>>();
  let answered = 0;
  let newest = 0;
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    const begun = newest;
    const request = probe(port, question, count % 2 === 0 ? keepAlive : false).then(
      ({ version }) => {
        answered += 1;
        if (version < begun) stale.push(`${version} answered after ${begun}`);
      },
      (error: Error) => {
        failed.push(error.message);
      },
    );
    open.add(request);
    void request.finally(() => open.delete(request));
  }, 1000 / rate);
  return {
    seen(version) {
      newest = Math.max(newest, version);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      keepAlive.destroy();
      return { answered, failed, stale };
    },
  };
}

/** One request; rejects unless the answer is a 200 with a version. */
export function probe(
  port: number,
  { path, call }: Question,
  agent: http.Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = call === undefined ? 'GET' : 'POST';
    const headers = call === undefined ? {} : { 'Content-Type': 'application/json' };
    const request = http.request({ host: '127.0.0.1', port, path, agent, method, headers, timeout: 15_000 });
    request.on('response', (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        const version = Number(response.headers['x-bench-version']);
        if (response.statusCode === 200 && version > 0) resolve({ version });
        else reject(new Error(`status ${response.statusCode}, version ${version}`));
      });
    });
    request.on('timeout', () => request.destroy(new Error('no answer in 15 s')));
    request.on('error', reject);
    request.end(call);
  });
}
