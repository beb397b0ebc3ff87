import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApp } from '../../framework/app/docs/describe-api.js';
import { App } from '../../framework/index.js';
import { CliError } from '../terminal/errors.js';
import { assertOperations, loadDocument } from './api-document.js';

const openApi = {
  openapi: '3.1.0',
  info: { title: 'A', version: '1' },
  paths: { '/a': { get: { responses: { 200: { description: 'OK' } } } } },
};
const apiJson = describeApp(new App().get('/a', () => 'a'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-document-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'document.json');
  writeFileSync(file, text);
  return file;
}

describe('a document of an API', () => {
  it('is OpenAPI or api.json, also behind a byte order mark', async () => {
    expect(await loadDocument(fileOf(JSON.stringify(openApi)))).toEqual(openApi);
    expect(await loadDocument(fileOf(`\ufeff${JSON.stringify(openApi)}`))).toEqual(openApi);
    expect(await loadDocument(fileOf(JSON.stringify(apiJson)))).toEqual(JSON.parse(JSON.stringify(apiJson)));
  });

  it.each([
    ['', 'is not JSON'],
    ['openapi: 3.1.0\n', 'is not JSON'],
    ['null', 'it is not an object of JSON'],
    ['[]', 'it is not an object of JSON'],
    ['{}', "it has no 'openapi: 3'"],
    ['{"openapi":3}', "it has no 'openapi: 3'"],
    ['{"swagger":"2.0","paths":{}}', 'it is of Swagger 2.0'],
    ['{"openapi":"3.1.0"}', 'has no operation that could be called'],
    ['{"openapi":"3.1.0","paths":{"/a":7}}', 'has no operation that could be called'],
    ['{"registries":[]}', 'document.json'],
    ['{"registries":{},"document":7}', 'document.json'],
    [JSON.stringify({ ...apiJson, registries: [null] }), 'cannot be read as a document of an API'],
  ])('%s is refused by its name, with what to give', async (text, says) => {
    const file = fileOf(text);
    const refused = loadDocument(file);
    await expect(refused).rejects.toBeInstanceOf(CliError);
    await expect(refused).rejects.toThrow(file);
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.toMatchObject({
      help: expect.stringMatching(/give a document|see: fw docs/),
    });
  });

  it('is refused if there is no such file', async () => {
    await expect(loadDocument(join(folder, 'none.json'))).rejects.toThrow(
      /^cannot read the document: .*none\.json/,
    );
  });

  it('comes from a server too, whose refusal is told', async () => {
    const server = createServer(({ url }, response) => {
      if (url === '/openapi.json') response.end(JSON.stringify(openApi));
      else response.writeHead(404).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    expect(await loadDocument(`${url}/openapi.json`)).toEqual(openApi);
    await expect(loadDocument(`${url}/none`)).rejects.toThrow(`${url}/none: it is answered 404`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(loadDocument(`${url}/openapi.json`)).rejects.toThrow(
      /cannot load the document .* ECONNREFUSED/,
    );
    await expect(loadDocument('http://127.0.0.1:6000/openapi.json')).rejects.toMatchObject({
      message: expect.stringContaining('browsers and fetch refuse to open that port'),
      help: expect.stringContaining('on another port'),
    });
  });
});

it('what an app offers must be something', () => {
  expect(() => assertOperations(describeApp(new App()), 'src/main.ts')).toThrow(
    'src/main.ts has no operation that could be called',
  );
  expect(() => assertOperations(apiJson, 'src/main.ts')).not.toThrow();
});
