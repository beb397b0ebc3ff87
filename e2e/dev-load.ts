// Traffic against a dev server while its sources change: counts failed and stale answers.
import http from 'node:http';

/** What an app under load must answer on `GET /`, `GET /slow` (after 300 ms) and `POST /echo`: this number. */
export interface Version {
  version: number;
}

interface LoadResult {
  answered: number;
  /** One line per failed request. */
  failed: string[];
  /** One line per answer of old code to a request that began after the new code had answered. */
  stale: string[];
}

export interface Load {
  /** Settles when some request has been answered by this version or a later one; gives the time of that. */
  answeredBy(version: number): Promise<number>;
  /** Ends the traffic and waits for the requests under way. */
  stop(): Promise<LoadResult>;
}

interface Waiter {
  version: number;
  settle: (time: number) => void;
}

/** How many requests may wait for their answers at once: a machine under load answers fewer than it is asked. */
const MOST_OPEN = 100;

/** Sends `rate` requests a second, mixed GET, POST and slow GET, from fresh and kept-alive connections. */
export function startLoad(port: number, rate: number): Load {
  const keepAlive = new http.Agent({ keepAlive: true });
  const fresh = new http.Agent({ keepAlive: false });
  const result: LoadResult = { answered: 0, failed: [], stale: [] };
  const open = new Set<Promise<void>>();
  let waiters: Waiter[] = [];
  let newest = 0;
  let count = 0;

  const timer = setInterval(() => {
    if (open.size >= MOST_OPEN) return;
    count += 1;
    const path = count % 5 === 0 ? '/slow' : count % 5 < 3 ? '/' : '/echo';
    const request = send(path, count % 2 === 0 ? keepAlive : fresh);
    open.add(request);
    void request.finally(() => open.delete(request));
  }, 1000 / rate);

  function send(path: string, agent: http.Agent): Promise<void> {
    const newestAtStart = newest;
    const kind = `${path} (${agent === fresh ? 'fresh' : 'kept alive'})`;
    return exchange(port, path, agent).then(
      ({ version }) => {
        result.answered += 1;
        if (version < newestAtStart) result.stale.push(`${kind}: ${version} after ${newestAtStart}`);
        if (version > newest) announce(version);
      },
      (error: Error) => {
        result.failed.push(`${kind}: ${error.message}`);
      },
    );
  }

  function announce(version: number): void {
    newest = version;
    const now = performance.now();
    for (const waiter of waiters) if (waiter.version <= version) waiter.settle(now);
    waiters = waiters.filter((waiter) => waiter.version > version);
  }

  return {
    answeredBy(version) {
      if (newest >= version) return Promise.resolve(performance.now());
      return new Promise((settle) => waiters.push({ version, settle }));
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      keepAlive.destroy();
      return result;
    },
  };
}

/** One request; rejects unless the answer is a 200 with a version. */
export function exchange(port: number, path: string, agent?: http.Agent): Promise<Version> {
  return new Promise((resolve, reject) => {
    const isPost = path === '/echo';
    const body = isPost ? 'x'.repeat(2000) : undefined;
    const request = http.request(
      { host: '127.0.0.1', port, path, agent, method: isPost ? 'POST' : 'GET', timeout: 60_000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          const version = /"version":(\d+)/.exec(text)?.[1];
          if (response.statusCode === 200 && version) resolve({ version: Number(version) });
          else reject(new Error(`status ${response.statusCode}: ${text.slice(0, 80)}`));
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer in 60 s')));
    request.on('error', reject);
    request.end(body);
  });
}
