// An App with a WebSocket for every kind of events.
import { App, describeRoute, Path, Query } from 'fw';
import type { RpcRegistry } from 'fw/rpc';
import { eventTypes, websocket } from 'fw/websocket';
import { z } from 'zod';

const Message = z.object({ text: z.string(), by: z.string().nullable() }).meta({ id: 'Message' });

/** @param rpc its subscriptions travel over one of them */
export function everySocket(rpc?: RpcRegistry): App {
  return new App()
    .websocket(
      describeRoute('/rooms/:room', { operationId: 'rooms.join', summary: 'Joins a room.' }),
      Path('room', z.string()),
      Query(z.object({ since: z.coerce.number().optional() })),
      websocket(
        {
          receives: { say: z.object({ text: z.string() }), 'odd-name': z.number().optional() },
          sends: { said: Message, count: z.number() },
          on: { say() {}, 'odd-name'() {} },
        },
        rpc === undefined ? {} : { rpc },
      ),
    )
    .websocket(
      describeRoute('/feed', { operationId: 'feed', deprecated: true }),
      websocket({ sends: { said: Message } }),
    )
    .websocket('/plain', websocket({ receives: eventTypes<{ a: string }>(), on: { a() {} } }));
}
