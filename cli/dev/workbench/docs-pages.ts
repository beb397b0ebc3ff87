// The documentation of the installed version, for the page about the app: its pages, their pictures, and the search.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type ManualPage, readPages } from '../../manual/pages.js';
import { ManualSearch } from '../../manual/search.js';
import { packageRoot } from '../../process/package-root.js';
import type { DocsPage, DocsPageSummary, DocsResult } from './protocol.js';
import { Refusal } from './refusals.js';
import { type Routes, written } from './workbench-server.js';

const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};
const MOST_RESULTS = 12;

/** Nothing is read before somebody asks. */
export class DocsPages {
  readonly #root: string;
  #pages: readonly ManualPage[] | undefined;
  #search: Promise<ManualSearch> | undefined;

  constructor(root: string = packageRoot()) {
    this.#root = root;
  }

  get routes(): Routes {
    return {
      'GET /_fw/docs': () => this.#all.map(summaryOf),
      'GET /_fw/docs-page': (request) => this.#page(parameterOf(request, 'name')),
      'GET /_fw/docs-search': (request) => this.#find(parameterOf(request, 'q')),
      'GET /_fw/docs-picture': (request, response) => this.#picture(parameterOf(request, 'file'), response),
    };
  }

  get #all(): readonly ManualPage[] {
    this.#pages ??= readPages(this.#root);
    return this.#pages;
  }

  #page(name: string): DocsPage {
    const page = this.#all.find((one) => one.name === name);
    if (page === undefined) throw new Refusal(404, 'NotFound', `the documentation has no page ${name}`);
    return { ...summaryOf(page), blocks: page.blocks };
  }

  async #find(query: string): Promise<DocsResult[]> {
    this.#search ??= ManualSearch.of(this.#all);
    return (await this.#search).find(query, MOST_RESULTS).map(({ page, section, excerpt }) => {
      const { heading, slug } = section;
      return { ...summaryOf(page), heading, slug, excerpt };
    });
  }

  #picture(file: string, response: ServerResponse): symbol {
    const extension = /^[\w-]{1,100}\.(png|svg|webp)$/.exec(file)?.[1];
    if (extension === undefined) throw new Refusal(404, 'NotFound', 'the documentation has no such picture');
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(this.#root, 'framework', 'docs', 'pictures', file));
    } catch {
      throw new Refusal(404, 'NotFound', `the documentation has no picture ${file}`);
    }
    response.setHeader('content-type', PICTURES[extension] as string);
    response.end(bytes);
    return written;
  }
}

function summaryOf({ name, title, group }: ManualPage): DocsPageSummary {
  return { name, title, group };
}

function parameterOf({ url = '' }: IncomingMessage, name: string): string {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1)).get(name) ?? '';
}
