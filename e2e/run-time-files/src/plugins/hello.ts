import type { FastifyInstance } from 'fastify';
import { registry } from '../registry.ts';

export default async function hello(app: FastifyInstance): Promise<void> {
  registry.push('hello');
  app.get('/hello', () => ({ hello: 'from a plugin' }));
}
