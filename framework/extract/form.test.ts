// Form: fields and files of both kinds of forms.
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { ConfigError } from '../config-error.js';
import { openApiFromApp } from '../rpc/index.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { Form } from './form.js';

const ada = new File(['content'], 'ada.txt', { type: 'text/plain' });

type Given = readonly (readonly [name: string, value: string | File])[];

/** What the handler gets: a form of fields alone is sent in both ways. */
async function extract(schema: StandardSchemaV1, given: Given, limits = {}): Promise<[number, unknown]> {
  const app = new App().post('/', Form(schema, limits), async (value) => {
    const shown = Object.entries(value as object).map(async ([key, one]) => [key, await show(one)]);
    return Object.fromEntries(await Promise.all(shown));
  });
  const send = async (body: FormData | URLSearchParams): Promise<[number, unknown]> => {
    const response = await app.oneshot(new Request('http://x/', { method: 'POST', body }));
    return [response.status, await response.json()];
  };
  const form = new FormData();
  for (const [name, value] of given) form.append(name, value);
  const answer = await send(form);
  const fields = given.filter((one): one is [string, string] => typeof one[1] === 'string');
  if (fields.length === given.length) {
    expect(
      await send(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))),
    ).toEqual(answer);
  }
  return answer;
}

async function show(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(show));
  return value instanceof Blob ? `${(value as File).name}: ${await value.text()}` : value;
}

describe('Form', () => {
  const schemas: Record<string, StandardSchemaV1> = {
    zod: z.object({ name: z.string(), age: z.coerce.number(), tags: z.array(z.string()).default([]) }),
    valibot: v.object({
      name: v.string(),
      age: v.pipe(v.string(), v.transform(Number)),
      tags: v.optional(v.array(v.string()), []),
    }),
    arktype: type({ name: 'string', age: 'string.numeric.parse', tags: 'string[] = []' } as never) as never,
  };

  it.each(Object.entries(schemas))(
    'gives fields to %s, as lists where it expects them',
    async (_, schema) => {
      const base: Given = [
        ['name', 'Ada'],
        ['age', '36'],
      ];
      const ofTags = async (...tags: [string, string][]) => extract(schema, [...base, ...tags]);
      expect(await ofTags()).toEqual([200, { name: 'Ada', age: 36, tags: [] }]);
      expect(await ofTags(['tags', 'a'])).toEqual([200, { name: 'Ada', age: 36, tags: ['a'] }]);
      expect(await ofTags(['tags', 'a'], ['tags', 'b'])).toEqual([
        200,
        { name: 'Ada', age: 36, tags: ['a', 'b'] },
      ]);
      expect(await ofTags(['tags[]', 'a'])).toEqual([200, { name: 'Ada', age: 36, tags: ['a'] }]);
    },
  );

  it('gives files, and leaves out an input in which none was chosen', async () => {
    const schema = z.object({ photo: z.file().optional(), more: z.array(z.file()).default([]) });
    expect(await extract(schema, [['photo', ada]])).toEqual([200, { photo: 'ada.txt: content', more: [] }]);
    // As browsers send it.
    const empty = ['--x', 'Content-Disposition: form-data; name="photo"; filename=""', '', '', '--x--', ''];
    const app = new App().post('/', Form(schema), (value) => value);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const request = new Request('http://x/', { method: 'POST', body: empty.join('\r\n'), headers });
    expect(await (await app.oneshot(request)).json()).toEqual({ more: [] });
    // As a program may send it, which knows no name.
    const named = { method: 'POST', body: empty.with(3, 'content').join('\r\n'), headers };
    const sent = await new App()
      .post('/', Form(schema), async ({ photo }) => photo?.text())
      .oneshot(new Request('http://x/', named));
    expect(await sent.text()).toBe('content');
    expect(await extract(schema, [['more', ada]])).toEqual([200, { more: ['ada.txt: content'] }]);
    const two: Given = [
      ['more', ada],
      ['more', new File([''], 'empty.txt')],
    ];
    expect(await extract(schema, two)).toEqual([200, { more: ['ada.txt: content', 'empty.txt: '] }]);
  });

  it('answers 422 with every field that is refused', async () => {
    const schema = z.object({ name: z.string().min(2), age: z.coerce.number(), photo: z.file() });
    const [status, body] = await extract(schema, [
      ['name', 'A'],
      ['age', 'x'],
      ['photo', 'text'],
    ]);
    expect(status).toBe(422);
    const { error, issues } = body as { error: string; issues: { path: string[] }[] };
    expect([error, issues.map(({ path }) => path)]).toEqual([
      'ValidationError',
      [['name'], ['age'], ['photo']],
    ]);
  });

  it('has no prototype that a client could name', async () => {
    const [status, body] = await extract(z.record(z.string(), z.string()), [
      ['constructor', 'a'],
      ['toString', 'b'],
    ]);
    expect([status, body]).toEqual([200, { constructor: 'a', toString: 'b' }]);
  });

  it.each([
    ['application/json', '{}', 400],
    ['multipart/form-data', 'x', 400],
    ['text/plain', 'a=1', 400],
    [undefined, 'a=1', 400],
    ['application/x-www-form-urlencoded', 'a=1&b=2&c=3', 413],
  ])('answers a body of type %s with %s: %d', async (contentType, body, status) => {
    const app = new App().post('/', Form(z.object({}), { maxParts: 2 }), () => 'read');
    const headers: Record<string, string> = contentType === undefined ? {} : { 'Content-Type': contentType };
    const bytes = new TextEncoder().encode(body);
    const request = new Request('http://x/', { method: 'POST', body: bytes, headers });
    expect((await app.oneshot(request)).status).toBe(status);
  });

  it('is checked when it is made', () => {
    expect(() => Form({} as never)).toThrow(ConfigError);
  });

  it('is in the document, with its files', () => {
    const schema = z.object({ name: z.string(), photo: z.file().optional() });
    const app = new App().post('/', Form(schema), () => 'x');
    const { paths } = openApiFromApp(app, { title: 't', version: '1' }).toJSON();
    expect(paths['/']?.post?.requestBody).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: { name: { type: 'string' }, photo: { type: 'string', format: 'binary' } },
            required: ['name'],
          },
        },
      },
    });
    expect(Object.keys(paths['/']?.post?.responses ?? {})).toContain('422');
  });
});
