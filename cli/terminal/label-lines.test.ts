import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { LineLabel, labelStream } from './label-lines.js';

it('labels each line once, however it is cut into pieces', () => {
  const label = new LineLabel('app | ');
  const pieces = ['a\nb', 'b\n', '', '\n', 'c', '\nd\n'];
  expect(pieces.map((piece) => label.apply(piece)).join('')).toBe(
    'app | a\napp | bb\napp | \napp | c\napp | d\n',
  );
  expect(label.apply('')).toBe('');
});

it('puts characters together that are cut into two pieces', () => {
  const label = new LineLabel('> ');
  const bytes = Buffer.from('é\n');
  expect(label.apply(bytes.subarray(0, 1)) + label.apply(bytes.subarray(1))).toBe('> é\n');
});

it('labels what is written to a stream, and tells when it is written', async () => {
  const stream = new PassThrough().setEncoding('utf8');
  let written = '';
  stream.on('data', (text) => {
    written += text;
  });
  labelStream(stream as unknown as NodeJS.WriteStream, 'app | ');
  stream.write('one\n');
  stream.write(Buffer.from('two\n'));
  stream.write('dGhyZWUK', 'base64');
  await new Promise<void>((done) => stream.write('four', 'utf8', () => done()));
  expect(written).toBe('app | one\napp | two\napp | three\napp | four');
});
