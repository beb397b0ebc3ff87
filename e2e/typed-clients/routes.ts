// An App with a route for every kind of input and answer.
import { App, describeRoute, Path, Query, Valid } from 'fw';
import { z } from 'zod';

const Page = z.object({ items: z.array(z.string()), next: z.string().nullable() }).meta({ id: 'Page' });

export function everyRoute(): App {
  return new App()
    .get(describeRoute('/ping', { operationId: 'health', returns: { 204: null } }), () => undefined)
    .get(
      describeRoute('/pages', { operationId: 'pages.list', summary: 'Pages.', returns: Page }),
      Query(z.object({ role: z.enum(['a', 'b']).optional(), ids: z.array(z.int()).optional() })),
      () => ({ items: [], next: null }),
    )
    .put(
      describeRoute('/pages/:id', {
        operationId: 'pages.put',
        deprecated: true,
        returns: { 200: Page, 201: Page, 404: z.object({ 'odd-key': z.string() }) },
        errors: { 409: 'It exists.' },
      }),
      Path('id', z.coerce.number()),
      Valid(z.object({ name: z.string(), tags: z.array(z.string()).default([]) })),
      (_id, { name }) => ({ items: [name], next: null }),
    )
    .get(
      describeRoute('/files/*path', {
        operationId: 'odd-name',
        returns: { 200: { contentType: 'text/plain' } },
      }),
      (ctx) => ctx.text(ctx.req.param('path')),
    )
    .get(describeRoute('/loose', { operationId: 'loose.any' }), () => ({}));
}
