// Puts a label before each line that this process prints, so that two programs can share a terminal.
import { StringDecoder } from 'node:string_decoder';

/** Labels what is written in pieces: a piece need not end with a line. */
export class LineLabel {
  readonly #label: string;
  readonly #decoder = new StringDecoder('utf8');
  #isAtStart = true;

  constructor(label: string) {
    this.#label = label;
  }

  apply(piece: Uint8Array | string): string {
    const text = typeof piece === 'string' ? piece : this.#decoder.write(piece);
    if (text === '') return '';
    const open = this.#isAtStart ? this.#label : '';
    this.#isAtStart = text.endsWith('\n');
    const whole = this.#isAtStart ? text.slice(0, -1) : text;
    return `${open}${whole.replaceAll('\n', `\n${this.#label}`)}${this.#isAtStart ? '\n' : ''}`;
  }
}

/** Labels every line that this process writes to a stream from now on; it stays a terminal if it is one. */
export function labelStream(stream: NodeJS.WriteStream, label: string): void {
  const lines = new LineLabel(label);
  const write = stream.write.bind(stream) as (text: string, done?: unknown) => boolean;
  stream.write = function writeLabelled(piece: Uint8Array | string, ...rest: unknown[]): boolean {
    const done = rest.find((one) => typeof one === 'function');
    const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : undefined;
    const isEncoded = typeof piece === 'string' && encoding !== undefined && !/^utf-?8$/i.test(encoding);
    return write(lines.apply(isEncoded ? Buffer.from(piece, encoding) : piece), done);
  } as typeof stream.write;
}
