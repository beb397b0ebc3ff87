// The app of the pictures: a shop with routes, procedures, a subscription, a WebSocket and a database.
import { App, describeRoute, FwError, Path, Query, Valid } from 'fw';
import { ApiKey, apiKey, StaticKeys } from 'fw/api-key';
import { logger, requestId } from 'fw/middleware';
import { withSpan } from 'fw/tracing';
import { websocket } from 'fw/websocket';
import { z } from 'zod';
import { db } from './database.ts';
import { rpc } from './procedures.ts';

const Product = z
  .object({ id: z.int(), name: z.string(), price: z.number().describe('In euros.'), stock: z.int() })
  .meta({ id: 'Product' });
const Address = z
  .object({ street: z.string().min(1), city: z.string().min(1), country: z.enum(['DE', 'FR', 'NL']) })
  .meta({ id: 'Address' });
const NewOrder = z
  .object({
    product: z.int().positive(),
    count: z.int().min(1).max(20).default(1),
    shipTo: Address,
    note: z.string().max(200).optional(),
  })
  .meta({ id: 'NewOrder' });
const Order = NewOrder.extend({ id: z.int(), total: z.number(), placed: z.iso.datetime() }).meta({
  id: 'Order',
});

const keys = new StaticKeys().insert('shop_0000000000000000000000000000000000000000000', 'demo');

const products = new App()
  .get(
    describeRoute('/', { returns: z.array(Product), tags: ['products'], summary: 'List products' }),
    Query(z.object({ search: z.string().optional(), limit: z.coerce.number().int().max(100).default(20) })),
    async function listProducts({ search = '', limit }) {
      return withSpan({ search }, () =>
        db.selectFrom('products').selectAll().where('name', 'like', `%${search}%`).limit(limit).execute(),
      );
    },
  )
  .get(
    describeRoute('/:id', {
      returns: Product,
      errors: { 404: 'There is no such product.' },
      tags: ['products'],
    }),
    Path('id', z.coerce.number().int()),
    async function getProduct(id) {
      const found = await db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();
      if (found === undefined) throw FwError.notFound(`there is no product ${id}`);
      return found;
    },
  );

const orders = new App()
  .use(apiKey({ store: keys }))
  .post(
    describeRoute('/', {
      returns: { 201: Order },
      errors: { 409: 'There are not enough in stock.' },
      tags: ['orders'],
      summary: 'Place an order',
      description:
        'Takes the products out of stock and sends a confirmation.\n\nOrders of more than `20` need a call.',
    }),
    ApiKey,
    Valid(NewOrder),
    async function placeOrder(_key, order) {
      const product = await db
        .selectFrom('products')
        .selectAll()
        .where('id', '=', order.product)
        .executeTakeFirstOrThrow();
      await db
        .updateTable('products')
        .set({ stock: product.stock - order.count })
        .where('id', '=', product.id)
        .execute();
      return { ...order, id: 1042, total: product.price * order.count, placed: new Date().toISOString() };
    },
  )
  .get(
    describeRoute('/:id', { returns: Order, tags: ['orders'], deprecated: true }),
    Path('id', z.coerce.number()),
    (id) => {
      const order = undefined as unknown as z.output<typeof Order>;
      return { ...order, id, total: order.total };
    },
  );

const support = websocket({
  data: (room: string) => ({ room }),
  receives: { say: z.object({ text: z.string().min(1).max(500) }) },
  sends: { said: z.object({ room: z.string(), text: z.string() }) },
  on: { say: (socket, { text }) => void socket.emit('said', { room: socket.data.room, text }) },
});

export const app: App = new App()
  .maxBodySize(1024 * 1024)
  .requestTimeout(10_000)
  .withKysely(db)
  .use(requestId())
  .use(logger())
  .route('/products', products)
  .route('/orders', orders)
  .websocket('/support/:room', Path('room', z.string()), support)
  .mountRpc('/rpc', rpc);
app.serveDocs('/docs', app, {
  title: 'Shop',
  version: '1.4.0',
  description: 'Products, orders and support.',
});
