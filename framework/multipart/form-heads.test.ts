// What the Content-Type of a form and the head of a part may say, and files that are read in other ways than to their end.
import { describe, expect, it } from 'vitest';
import { FwError } from '../http/errors.js';
import { readFormType, readMultipartType } from './form-type.js';
import { formLimits, multipartLimits } from './limits.js';
import type { MultipartField, MultipartFile, MultipartPart } from './part.js';
import { readPartHead } from './part-head.js';
import { PartEvents } from './part-reader.js';
import { parseForm, readParts } from './read-parts.js';

const encoder = new TextEncoder();

function fault(work: () => unknown): FwError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(FwError);
    expect((error as FwError).status).toBe(400);
    return error as FwError;
  }
  throw new Error('it was accepted');
}

describe('the type of a form', () => {
  it.each([
    ['multipart/form-data; boundary=B', 'B'],
    ['MULTIPART/Form-Data;\tBoundary="B"', 'B'],
    ['multipart/form-data ; charset=utf-8 ; boundary=B', 'B'],
    [`multipart/form-data; boundary="a b'()+_,-./:=?"`, "a b'()+_,-./:=?"],
    [`multipart/form-data; boundary=${'b'.repeat(70)}`, 'b'.repeat(70)],
  ])('%s has the boundary %s', (type, boundary) => {
    expect(readFormType(type)).toEqual({ kind: 'multipart', boundary });
    expect(readMultipartType(type)).toBe(boundary);
  });

  it('may be that of a form without files, where files are not asked for', () => {
    const type = 'application/x-www-form-urlencoded; charset=utf-8';
    expect(readFormType(type)).toEqual({ kind: 'urlencoded' });
    expect(fault(() => readMultipartType(type)).message).toBe(
      `the media type '${type}' is not the expected form; send 'multipart/form-data'`,
    );
  });

  const empty = "the boundary of 'multipart/form-data' is empty";
  it.each([
    [undefined, 'the body needs a Content-Type'],
    ['', 'is not the expected form'],
    ['text/plain', 'is not the expected form'],
    ['multipart/mixed; boundary=B', 'is not the expected form'],
    ['multipart/form-data', 'needs a boundary'],
    ['multipart/form-data; charset=utf-8', 'needs a boundary'],
    ['multipart/form-data; boundary=a; boundary=b', 'names two boundaries'],
    ['multipart/form-data; boundary="a "', "the boundary 'a ' of the multipart body is malformed"],
    ['multipart/form-data; boundary=a!', "the boundary 'a!' of the multipart body is malformed"],
    ['multipart/form-data; boundary=!a', "the boundary '!a' of the multipart body is malformed"],
    [`multipart/form-data; boundary=${'b'.repeat(71)}`, 'is malformed'],
    ['multipart/form-data; boundary=""', empty],
    ['multipart/form-data; boundary=', empty],
    ['multipart/form-data;boundary= ', empty],
    ['Multipart/Form-Data \t;\t boundary=\t;charset=utf-8', empty],
    ['x-multipart/form-data; boundary=', 'is not the expected form'],
    ['multipart/form-data; boundary=a@b', 'has malformed parameters'],
    ['multipart/form-data\t ;boundary=a@b', 'has malformed parameters'],
    ['application/x-www-form-urlencoded; charset', 'has malformed parameters'],
    ['x-multipart/form-data; boundary=a@b', 'is not the expected form'],
    ['multipart/form-data; boundary=a@b, text/plain', 'is not the expected form'],
    ['multipart/form-data, boundary=a@b', 'is not the expected form'],
  ])('%j is refused', (type, message) => {
    expect(fault(() => readFormType(type)).message).toContain(message);
    expect(fault(() => readMultipartType(type)).message).toContain(message);
  });
});

describe('the head of a part', () => {
  const head = (disposition: string) => readPartHead([['content-disposition', disposition]]);

  it.each([
    ['form-data; name=a', 'a', undefined],
    ['FORM-DATA;NAME="a"', 'a', undefined],
    ['form-data \t; \tname=a', 'a', undefined],
    ['form-data; name=a;', 'a', undefined],
    ['form-data; name=a ; ', 'a', undefined],
    ['form-data; name=long-name; filename=long.txt', 'long-name', 'long.txt'],
    ['form-data; name="a" ; filename="b c.txt"', 'a', 'b c.txt'],
    ['form-data; name="a;b"; filename=""', 'a;b', ''],
    ['form-data; name="a\\"b"; filename="c\\"d"', 'a"b', 'c"d'],
    ['form-data; name="%22%0D%0a%41"', '"\r\n%41', undefined],
    ['form-data; name=a; filename="C:\\dir\\b.txt"', 'a', 'b.txt'],
    ['form-data; name=a; filename="../dir/b.txt"', 'a', 'b.txt'],
    ['form-data; name=a; filename="dir/.."', 'a', ''],
    ['form-data; name=a; filename="."', 'a', ''],
    ["form-data; name=a; filename*=utf-8'en'%c3%a9.txt", 'a', 'é.txt'],
    ["form-data; name=a; filename*=UTF-8''b'c.txt", 'a', "b'c.txt"],
    ["form-data; name=a; filename=b; filename*=utf-8''c", 'a', 'b'],
  ])('%j names a field, and perhaps a file', (disposition, name, filename) => {
    const type = filename === undefined ? 'text/plain' : 'application/octet-stream';
    expect(head(disposition)).toMatchObject({ name, filename, type });
  });

  it.each([
    ['', "has no 'Content-Disposition: form-data'"],
    ['attachment; name=a', "has no 'Content-Disposition: form-data'"],
    ['form-datax; name=a', "has no 'Content-Disposition: form-data'"],
    ['x form-data; name=a', "has no 'Content-Disposition: form-data'"],
    ['form-data', 'has no name in its Content-Disposition'],
    ['form-data; filename=a', 'has no name in its Content-Disposition'],
    ['form-data; name=a; Name=b', "has two of 'name' in its Content-Disposition"],
    ['form-data; name="a"x', 'has a malformed Content-Disposition'],
    ['form-data; name="a" x', 'has a malformed Content-Disposition'],
    ['form-data; name=a; filename', 'has a malformed Content-Disposition'],
    ['form-data; name=a; filename="b', 'has a malformed Content-Disposition'],
    ["form-data; name=a; filename*=iso-8859-1''b", "has a 'filename*' that is not UTF-8"],
    ["form-data; name=a; filename*=xutf-8''b", "has a 'filename*' that is not UTF-8"],
    ['form-data; name=a; filename*=utf-8', "has a 'filename*' that is not UTF-8"],
    ["form-data; name=a; filename*=utf-8''%", "has a malformed 'filename*'"],
    ["form-data; name=a; filename*=utf-8''a%00", "has a malformed 'filename*'"],
  ])('%j is refused', (disposition, message) => {
    expect(fault(() => head(disposition)).message).toBe(`malformed multipart body: a part ${message}`);
  });

  it('has the reason of what could not be decoded as its cause', () => {
    expect(fault(() => head("form-data; name=a; filename*=utf-8''%")).cause).toBeInstanceOf(URIError);
    expect('cause' in fault(() => head('form-data'))).toBe(false);
  });

  it('has its other fields, joined as in a request, and one disposition', () => {
    const disposition = ['content-disposition', 'form-data; name=a'] as const;
    const read = readPartHead([disposition, ['x', '1'], ['content-type', 'text/csv'], ['x', '2']]);
    expect(read).toMatchObject({ type: 'text/csv', headers: { x: '1, 2', 'content-type': 'text/csv' } });
    expect(fault(() => readPartHead([disposition, disposition])).message).toContain(
      'a part has two Content-Disposition',
    );
  });
});

describe('the lines of a head', () => {
  const first = 'Content-Disposition: form-data; name="a"';
  function read(lines: readonly string[], maxHeaderSize = 16_384): void {
    const events = new PartEvents('B', multipartLimits({ maxHeaderSize }));
    events.write(encoder.encode(`--B\r\n${lines.join('\r\n')}\r\n\r\n1\r\n--B--`));
    expect(events.take()).toMatchObject({ kind: 'field', head: { name: 'a' } });
  }

  it.each([[[first]], [[first, 'X: y']], [[first, 'X: y', 'Y: z']]])(
    'may be as long as the limit, with the ends of lines: %j',
    (lines) => {
      const size = lines.reduce((sum, line) => sum + line.length + 2, 0);
      read(lines, size);
      expect(() => read(lines, size - 1)).toThrow(`header fields of more than ${size - 1} bytes`);
    },
  );

  it('are a hundred at the most', () => {
    read([first, ...Array<string>(99).fill('X: y')]);
    expect(() => read([first, ...Array<string>(100).fill('X: y')])).toThrow('header fields of more than');
  });

  it.each([' X: y', 'X : y', 'X Y: z', 'X', ': y', 'Ü: y', 'X\u0001: y', 'X: \u007f'])(
    'begin with the name of a field: not %j',
    (line) => {
      expect(() => read([first, line])).toThrow('the header of a part is malformed');
    },
  );

  it('end where the boundary has nothing but blanks behind it, or the last one its two dashes', () => {
    const parts = (text: string): PartEvents => {
      const events = new PartEvents('B', multipartLimits({}));
      events.write(encoder.encode(text));
      return events;
    };
    const padded = parts(`--B \t\r\n${first}\r\n\r\n1\r\n--B--`);
    expect([padded.take()?.kind, padded.isDone]).toEqual(['field', true]);
    const late = parts(`--B\r\n${first}\r\n\r\n1\r\n--B --`);
    expect(late.take()?.kind).toBe('field');
    expect(() => late.take()).toThrow('a boundary is not alone on its line');
  });
});

describe('limits', () => {
  it('may be nothing at all, and have the name of their call', () => {
    const zero = { maxParts: 0, maxFiles: 0, maxFieldSize: 0, maxFileSize: 0, maxHeaderSize: 0 };
    expect(multipartLimits(zero)).toEqual(zero);
    expect(() => formLimits({ maxFiles: -1 })).toThrow('formData: maxFiles is -1');
  });

  it('of a form in memory are those of its body, if no other is given', () => {
    expect(formLimits({}).maxFieldSize).toBe(Number.POSITIVE_INFINITY);
    expect(formLimits({ maxFieldSize: 5, maxParts: 2 })).toMatchObject({ maxFieldSize: 5, maxParts: 2 });
  });
});

describe('parts', () => {
  const body = [
    '--B\r\nContent-Disposition: form-data; name=a\r\nContent-Type: text/plain; charset=latin1\r\n\r\n\xe9',
    '--B\r\nContent-Disposition: form-data; name=f; filename=f\r\nContent-Type: text/plain; charset=latin1\r\n\r\n\xe9\xe8',
    '--B\r\nContent-Disposition: form-data; name=e; filename=e\r\n\r\n',
    '--B\r\nContent-Disposition: form-data; name=z\r\n\r\nlast',
    '--B--',
  ].join('\r\n');

  /** A body in pieces of one byte. */
  function parts(): AsyncGenerator<MultipartPart> {
    const bytes = Buffer.from(body, 'latin1');
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at === bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(at, ++at));
      },
    });
    return readParts(stream, 'B', multipartLimits({}));
  }

  async function next<Part extends MultipartPart>(all: AsyncGenerator<MultipartPart>): Promise<Part> {
    return (await all.next()).value as Part;
  }

  it('have their bytes and their text, from one chunk, many and none', async () => {
    const all = parts();
    const field = await next<MultipartField>(all);
    expect([field.value, await field.text(), [...(await field.bytes())]]).toEqual(['é', 'é', [0xe9]]);
    const file = await next<MultipartFile>(all);
    expect([await file.text(), [...(await file.bytes())]]).toEqual(['éè', [0xe9, 0xe8]]);
    expect(await file.bytes()).toBe(await file.bytes());
    const empty = await next<MultipartFile>(all);
    expect([...(await empty.bytes())]).toEqual([]);
    expect((await next<MultipartField>(all)).value).toBe('last');
    expect((await all.next()).done).toBe(true);
  });

  it('leave the next part where it is, if a file is read on after its end', async () => {
    const all = parts();
    await all.next();
    const chunks = (await next<MultipartFile>(all)).stream[Symbol.asyncIterator]();
    const read: number[] = [];
    for (let one = await chunks.next(); !one.done; one = await chunks.next()) read.push(...one.value);
    expect(read).toEqual([0xe9, 0xe8]);
    expect(await chunks.next()).toEqual({ done: true, value: undefined });
    expect((await next<MultipartFile>(all)).name).toBe('e');
  });

  it('give each of two reads at a time its own chunk', async () => {
    const all = parts();
    await all.next();
    const chunks = (await next<MultipartFile>(all)).stream[Symbol.asyncIterator]();
    const both = await Promise.all([chunks.next(), chunks.next(), chunks.next()]);
    expect(both.map(({ value }) => value?.[0])).toEqual([0xe9, 0xe8, undefined]);
  });

  it('are passed over when the loop over a file is left, and cannot be read later', async () => {
    const all = parts();
    await all.next();
    const file = await next<MultipartFile>(all);
    for await (const chunk of file.stream) {
      expect(chunk[0]).toBe(0xe9);
      break;
    }
    expect(() => file.stream[Symbol.asyncIterator]()).toThrow("the file of part 'f' was already read");
    const empty = await next<MultipartFile>(all);
    expect(empty.name).toBe('e');
    await all.next();
    await expect(empty.bytes()).rejects.toThrow("the file of part 'e' was skipped");
  });

  it('cannot be read when the loop over the parts is left', async () => {
    const files: MultipartFile[] = [];
    for await (const part of parts()) {
      if (part.kind !== 'file') continue;
      files.push(part);
      break;
    }
    await expect(files[0]?.bytes()).rejects.toThrow("the file of part 'f' was skipped");
  });

  it('of a form in memory may be longer than one slice of it', async () => {
    const content = 'x'.repeat(200_000);
    const head = 'Content-Disposition: form-data; name=f; filename=f.txt\r\nContent-Type: text/x';
    const bytes = encoder.encode(`--B\r\n${head}\r\n\r\n${content}\r\n--B--`);
    const form = await parseForm(bytes, 'B', formLimits({}));
    const file = form.get('f') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['f.txt', 'text/x', content]);
  });
});
