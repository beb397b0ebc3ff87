// fw with a sign-in by password, for the bench of a flood of sign-ins.
import { hashPassword, verifyPassword } from '../../../dist/framework/auth/password/index.js';
import { App } from '../../../dist/framework/index.js';
import { reply } from './workloads.js';

const hash = await hashPassword('correct horse');
const app = new App()
  .get('/json', (ctx) => ctx.json(reply()))
  .post('/sign-in', async (ctx) => ctx.json({ ok: await verifyPassword(await ctx.req.text(), hash) }));
await app.listen(Number(process.env.PORT));
console.log('ready');
