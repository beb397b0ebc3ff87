// A setup of the tests: before a server stops listening, `fetch` lets go of the connections that it keeps for a next
// request. A drain gives such a connection a second, which each test that calls a server by `fetch` would wait for.
// What a drain does with connections that stay open is tested with sockets.
import { Server } from 'node:net';

/** The Agent of undici that Node's own fetch uses; there is none before the first call. */
interface Agent {
  close(): Promise<void>;
}

/** In Node 24, both names have the same Agent; in Node 26, the first has something else, for an older undici. */
const names = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));
const holder = globalThis as unknown as Record<symbol, Agent | undefined>;

const stopListening = Server.prototype.close;
// Files that share a process run this once each.
if (stopListening.name !== 'closeWithFetches') Server.prototype.close = closeWithFetches;

function closeWithFetches(this: Server, ...args: Parameters<typeof stopListening>): Server {
  const agent = names.map((name) => holder[name]).findLast((found) => found !== undefined);
  if (agent !== undefined) {
    const next = Reflect.construct(agent.constructor, []);
    for (const name of names) if (holder[name] === agent) holder[name] = next;
    // Requests that are under way continue to their end.
    void agent.close();
  }
  return stopListening.apply(this, args);
}
