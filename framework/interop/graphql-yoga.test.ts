// GraphQL Yoga as its documentation mounts it: an object with `fetch`, under /graphql.
import { describe, expect, it, vi } from 'vitest';
import { ways } from '../conformance/test-client-ways.js';
import { App, type Context, type Middleware } from '../index.js';
import { compression } from '../middleware/compression/index.js';
import { securityHeaders } from '../middleware/index.js';

// As text, because its types bring those of the DOM into every file that is compiled with this one.
const { createSchema, createYoga } = await import('graphql-yoga' as string);

interface Counter {
  /** Whether the generator of the subscription was ended. */
  readonly isEnded: () => boolean;
  readonly step: () => void;
}

const typeDefs = `
  type Query { hello(name: String!): String! agent: String route: String fails: String }
  type Mutation { add(to: Int!): Int! }
  type Subscription { count: Int! }
`;

/** What resolvers get: the request, and what the App adds. */
interface Given {
  readonly request: Request;
  readonly ctx?: Context;
}

interface Yoga {
  readonly fetch: (request: Request, given?: Partial<Given>) => Promise<Response>;
}

function makeYoga(): { yoga: Yoga; counter: Counter } {
  let step = () => {};
  let isEnded = false;
  async function* count() {
    try {
      for (let n = 1; ; n += 1) {
        yield { count: n };
        await new Promise<void>((resolve) => {
          step = resolve;
        });
      }
    } finally {
      isEnded = true;
    }
  }
  const schema = createSchema({
    typeDefs,
    resolvers: {
      Query: {
        hello: (_root: unknown, { name }: { name: string }) => `Hello, ${name}!`,
        agent: (_root: unknown, _args: unknown, { request }: Given) => request.headers.get('user-agent'),
        route: (_root: unknown, _args: unknown, { ctx }: Given) => ctx?.req.path,
        fails: () => {
          throw new Error('a secret of the database');
        },
      },
      Mutation: { add: (_root: unknown, { to }: { to: number }) => to + 1 },
      Subscription: { count: { subscribe: count } },
    },
  });
  return {
    yoga: createYoga({ schema, logging: false }),
    counter: { isEnded: () => isEnded, step: () => step() },
  };
}

describe.each(Object.entries(ways))('GraphQL Yoga %s', (_way, run) => {
  const makeApp = (...middleware: Middleware[]) => {
    const { yoga, counter } = makeYoga();
    const app = new App();
    for (const one of middleware) app.use(one);
    return { app: app.mount('/graphql', yoga, { keepPrefix: true }), counter };
  };

  it('answers queries and mutations, and hides unexpected errors', async () => {
    await run(makeApp().app, async (client) => {
      const ask = (query: string) =>
        client.post('/graphql', { json: { query }, headers: { 'user-agent': 'test' } });
      (await ask('{ hello(name: "Ada") agent }')).assertJson({
        data: { hello: 'Hello, Ada!', agent: 'test' },
      });
      (await ask('mutation { add(to: 1) }')).assertJson({ data: { add: 2 } });
      const failed = (await ask('{ fails }')).text();
      expect(failed).toContain('Unexpected error.');
      expect(failed).not.toContain('secret');
      (await ask('{ nothing }')).assertStatus(200);
      (await client.get('/graphql', { query: { query: '{ hello(name: "ü") }' } })).assertJson({
        data: { hello: 'Hello, ü!' },
      });
      (await client.get('/graphql', { query: { query: 'mutation { add(to: 1) }' } })).assertStatus(405);
    });
  });

  it('shows GraphiQL to browsers, with the header fields of the App', async () => {
    await run(makeApp(securityHeaders()).app, async (client) => {
      const page = await client.get('/graphql', { headers: { accept: 'text/html' } });
      page.assertStatus(200).assertHeader('content-type', /^text\/html/);
      page.assertHeader('x-content-type-options', 'nosniff');
      expect(page.text()).toContain('GraphiQL');
    });
  });

  it('streams a subscription, event by event, until the client leaves', async () => {
    const { app, counter } = makeApp(compression());
    await run(app, async (client) => {
      const query = { query: 'subscription { count }' };
      const events = await client.events('/graphql', { query, headers: { 'accept-encoding': 'gzip' } });
      const next = async () => {
        for (;;) {
          const event = await events.next();
          if (event === undefined || event.event === 'next') return event?.data;
        }
      };
      expect(await next()).toBe('{"data":{"count":1}}');
      counter.step();
      expect(await next()).toBe('{"data":{"count":2}}');
      await events.close();
      // A generator ends at its next yield, once the server has seen that the client is gone.
      await vi.waitFor(() => {
        counter.step();
        expect(counter.isEnded()).toBe(true);
      });
    });
  });

  it('gives resolvers the context of the request', async () => {
    const { yoga } = makeYoga();
    const app = new App().all('/graphql', (ctx) => yoga.fetch(ctx.req.request(), { ctx }));
    await run(app, async (client) => {
      (await client.post('/graphql', { json: { query: '{ route }' } })).assertJson({
        data: { route: '/graphql' },
      });
    });
  });
});
