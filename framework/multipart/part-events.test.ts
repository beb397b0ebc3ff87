import { describe, expect, it } from 'vitest';
import { multipartLimits } from './limits.js';
import { PartEvents } from './part-reader.js';

const BODY = [
  'preamble\r\n--B-\r\n',
  'Content-Disposition: form-data; name="a"\r\n\r\n1-\r\n--B-\r\n',
  'Content-Disposition: form-data; name="f"; filename="ü--.txt"\r\nContent-Type:text/plain\r\n\r\n',
  '--\r\n--B\r\n-\r\n--B---\r\nepilogue',
].join('');

/** The events of a parser for these pieces, with the chunks of a file joined. */
function parse(pieces: readonly Uint8Array[]): string[] {
  const events = new PartEvents('B-', multipartLimits({}));
  const seen: string[] = [];
  const take = () => {
    for (let event = events.take(); event !== undefined; event = events.take()) {
      if (event.kind === 'field') seen.push(`field ${event.head.name}=${decode(event.bytes)}`);
      else if (event.kind === 'file') seen.push(`file ${event.head.filename} `);
      else if (event.kind === 'chunk') seen.push(`${seen.pop()}${decode(event.bytes)}`);
      else seen.push('end');
    }
  };
  for (const piece of pieces) {
    events.write(piece);
    take();
  }
  events.end();
  take();
  return seen;
}

const decode = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const expected = ['field a=1-', 'file ü--.txt --\r\n--B\r\n-', 'end'];

const encoder = new TextEncoder();

describe('PartEvents', () => {
  const bytes = encoder.encode(BODY);

  it('reads a body in one piece', () => {
    expect(parse([bytes])).toEqual(expected);
  });

  it('reads a body in two pieces, cut at any position', () => {
    for (let at = 0; at <= bytes.length; at++) {
      expect(parse([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(expected);
    }
  });

  it('reads a body in pieces of any size', () => {
    for (let size = 1; size < 40; size++) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      expect(parse(pieces), `pieces of ${size}`).toEqual(expected);
    }
  });

  it('refuses every body that ends early, at any position', () => {
    // After the last boundary, the body is complete.
    const end = bytes.length - '\r\nepilogue'.length;
    for (let at = 0; at < end; at++) {
      expect(() => parse([bytes.subarray(0, at)]), `cut at ${at}`).toThrow('ends before its last boundary');
    }
    expect(parse([bytes.subarray(0, end)])).toEqual(expected);
  });

  it.each([
    ['--B-\r\nContent-Disposition: form-data; name="a"\rX: y\r\n\r\n1\r\n--B---', 'is malformed'],
    ['--B-\r\nContent-Disposition: form-data; name="a"\r\n--B---\r\n', 'has no end'],
    ['--B-\r\nContent-Disposition: form-data; name="a"\r\n\r\n--B---\r\n', 'has no end'],
    ['--B-\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--B- x', 'not alone on its line'],
  ])('refuses %j, cut at any position', (body, why) => {
    const text = encoder.encode(body);
    for (let at = 0; at <= text.length; at++) {
      expect(() => parse([text.subarray(0, at), text.subarray(at)]), `cut at ${at}`).toThrow(why);
    }
  });

  it('passes on the bytes of a file as they arrive, except those that may begin a boundary', () => {
    const events = new PartEvents('B-', multipartLimits({}));
    const write = (text: string) => {
      events.write(encoder.encode(text));
      const chunks: string[] = [];
      for (let event = events.take(); event !== undefined; event = events.take()) {
        chunks.push(event.kind === 'chunk' ? decode(event.bytes) : event.kind);
      }
      return chunks;
    };
    expect(write('--B-\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\n')).toEqual(['file']);
    expect(write('one')).toEqual(['one']);
    expect(write('two\r\n--')).toEqual(['two']);
    expect(write('x')).toEqual(['\r\n--x']);
    expect(write('\r\n--B-')).toEqual(['end']);
  });

  it('emits the parts before a mistake', () => {
    const events = new PartEvents('B-', multipartLimits({ maxParts: 1 }));
    events.write(bytes);
    expect(events.take()).toMatchObject({ kind: 'field' });
    expect(() => events.take()).toThrow('more than 1 parts');
    expect(() => events.take()).toThrow('more than 1 parts');
  });
});

describe('a body', () => {
  const field = (content: string) => `--B\r\nContent-Disposition: form-data; name=a\r\n\r\n${content}\r\n`;
  const file = (content: string) => field(content).replace('name=a', 'name=f; filename=f');

  it.each([
    ['maxParts', (count: number) => file('1') + field('1').repeat(count - 1), 'more than 2 parts'],
    ['maxFiles', (count: number) => field('1') + file('1').repeat(count), 'more than 2 files'],
    [
      'maxFieldSize',
      (size: number) => file('12345') + field('x'.repeat(size)),
      'a field of more than 2 bytes',
    ],
    ['maxFileSize', (size: number) => field('12345') + file('x'.repeat(size)), 'a file of more than 2 bytes'],
  ])('may have as much as %s, and no more', (name, body, fault) => {
    const read = (text: string): void => {
      const events = new PartEvents('B', multipartLimits({ [name]: 2 }));
      events.write(encoder.encode(`${text}--B--`));
      while (events.take() !== undefined);
      expect(events.isDone).toBe(true);
    };
    read(body(2));
    expect(() => read(body(3))).toThrow(fault);
  });
});

describe('multipartLimits', () => {
  it('refuses invalid limits', () => {
    expect(() => multipartLimits({ maxParts: -1 })).toThrow(
      'multipart: maxParts is -1; give a whole number, 0 or more',
    );
    expect(() => multipartLimits({ maxFiles: 1.5 })).toThrow('maxFiles is 1.5');
    expect(() => multipartLimits({ maxHeaderSize: 20_000 })).toThrow(
      'maxHeaderSize is 20000; give a whole number from 0 to 16384',
    );
    expect(() => multipartLimits({ files: 1 } as object)).toThrow("multipart has no option 'files'");
  });

  it('has defaults', () => {
    expect(multipartLimits({})).toEqual({
      maxParts: 1_000,
      maxFiles: 100,
      maxFieldSize: 1_048_576,
      maxFileSize: Number.POSITIVE_INFINITY,
      maxHeaderSize: 16_384,
    });
  });

  it('uses the default if an option is undefined', () => {
    expect(multipartLimits({ maxParts: 7, maxFiles: undefined } as object)).toMatchObject({
      maxParts: 7,
      maxFiles: 100,
    });
  });
});
