// The procedures of the app of the pictures.
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';

const Cart = z
  .object({
    id: z.string(),
    items: z.array(z.object({ product: z.int(), count: z.int() })),
    total: z.number(),
  })
  .meta({ id: 'Cart' });
const Id = z.object({ cart: z.string() });

export const rpc: RpcRegistry = new RpcRegistry();

rpc.query('cart.get', { input: Id, output: Cart, description: 'The items of a cart.' }, ({ cart }) => ({
  id: cart,
  items: [{ product: 1, count: 2 }],
  total: 99.8,
}));
rpc.mutation(
  'cart.add',
  {
    input: Id.extend({ product: z.int(), count: z.int().min(1).default(1) }),
    output: Cart,
    errors: { outOfStock: z.object({ left: z.int() }) },
  },
  ({ cart, product, count }, { errors }) => {
    if (count > 12) throw errors.outOfStock({ left: 12 });
    return { id: cart, items: [{ product, count }], total: 49.9 * count };
  },
);
rpc.subscription(
  'stock.onChange',
  { input: z.object({ product: z.int() }), output: z.object({ product: z.int(), stock: z.int() }) },
  async function* ({ product }) {
    for (let stock = 12; stock > 0; stock -= 1) yield { product, stock };
  },
);
