// Cases: the App that the cases of forms ask, and forms to send to it.
import { App } from '../../app/app.js';
import type { Context } from '../../context/context.js';
import type { MultipartOptions } from '../../multipart/limits.js';
import type { Case } from '../case.js';

export const BOUNDARY: string = 'X-boundary-X';
export const multipartType: string = `multipart/form-data; boundary=${BOUNDARY}`;

interface SentPart {
  readonly head: readonly string[];
  readonly content: string;
}

export const field = (name: string, content: string): SentPart => ({
  head: [`Content-Disposition: form-data; name="${name}"`],
  content,
});

export const file = (name: string, filename: string, content: string): SentPart => ({
  head: [`Content-Disposition: form-data; name="${name}"; filename="${filename}"`, 'Content-Type: text/csv'],
  content,
});

export const form = (...parts: SentPart[]): string =>
  `${parts.map(({ head, content }) => `--${BOUNDARY}\r\n${head.join('\r\n')}\r\n\r\n${content}\r\n`).join('')}--${BOUNDARY}--\r\n`;

async function listParts(ctx: Context, options?: MultipartOptions): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of ctx.req.multipart(options)) {
    const { kind, name, type } = part;
    if (part.kind === 'field') parts.push([kind, name, type, part.value]);
    else parts.push([kind, name, type, part.filename, await part.text()]);
  }
  return parts;
}

function app(): App {
  return new App()
    .post('/form', async (ctx) => {
      const [first, again] = [await ctx.req.formData(), await ctx.req.formData()];
      const entries: unknown[] = [];
      for (const [name, value] of first) {
        if (typeof value === 'string') entries.push([name, value]);
        else entries.push([name, value.name, value.type, await value.text()]);
      }
      return { entries, isSame: first === again, length: (await ctx.req.bytes()).length > 0 };
    })
    .post('/parts', (ctx) => listParts(ctx))
    .post('/limited', (ctx) =>
      listParts(ctx, { maxParts: 3, maxFiles: 1, maxFieldSize: 10, maxFileSize: 20, maxHeaderSize: 100 }),
    )
    .post('/names', async (ctx) => {
      const names: unknown[] = [];
      for await (const part of ctx.req.multipart()) names.push([part.name, part.filename ?? null]);
      return names;
    })
    .post('/chunks', async (ctx) => {
      let length = 0;
      for await (const part of ctx.req.multipart()) {
        if (part.kind === 'file') for await (const chunk of part.stream) length += chunk.length;
      }
      return length;
    })
    .post('/first', async (ctx) => {
      for await (const part of ctx.req.multipart()) return part.name;
      return 'none';
    })
    .post('/late', async (ctx) => {
      const streams: AsyncIterable<Uint8Array>[] = [];
      for await (const part of ctx.req.multipart()) if (part.kind === 'file') streams.push(part.stream);
      for (const stream of streams) for await (const _ of stream);
    })
    .post('/text-then-parts', async (ctx) => {
      await ctx.req.text();
      return listParts(ctx);
    })
    .post('/parts-then-form', async (ctx) => {
      await listParts(ctx);
      await ctx.req.formData();
    })
    .onError((error, ctx) => ctx.json({ message: (error as Error).message }));
}

export const limitedApp = (): App =>
  new App()
    .maxBodySize(200)
    .post('/form', async (ctx) => [...(await ctx.req.formData()).keys()])
    .post('/parts', (ctx) => listParts(ctx));

export const post = (name: string, path: string, body: string, answer: unknown, status = 200): Case => ({
  name,
  app,
  request: { method: 'POST', path, body, headers: { 'Content-Type': multipartType } },
  status,
  body: answer,
});

export const fails = (name: string, path: string, body: string, status: number, message: string): Case =>
  post(name, path, body, { message }, status);

export const typed = (name: string, type: string | undefined, message: string, path = '/form'): Case => ({
  name,
  app,
  request: {
    method: 'POST',
    path,
    body: form(field('a', '1')),
    // A web Request gives a text body a type of its own.
    headers: type === undefined ? {} : { 'Content-Type': type },
  },
  status: 400,
  body: { message },
  ...(type === undefined && { socketsOnly: 'a web Request with a text body always has a media type' }),
});

export const malformed = (why: string): string => `malformed multipart body: ${why}`;
export const mixed: string = form(
  field('a', '1'),
  file('f', 'a.csv', 'x,y'),
  field('a', '2'),
  file('g', 'b.csv', ''),
);
