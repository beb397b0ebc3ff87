// Cases whose answer differs on a runtime, each with the reason; framework/docs/fetch-runtimes.md tells of them.

interface Difference {
  readonly runtimes: readonly string[];
  readonly area: string;
  readonly cases: RegExp;
  readonly why: string;
}

const differences: readonly Difference[] = [
  {
    runtimes: ['Lambda'],
    area: 'paths',
    cases: /^(a fragment |malformed percent|a cut percent)/,
    why: 'some platforms decode paths, so what no path has is encoded again',
  },
  {
    runtimes: ['Bun', 'Deno', 'workerd'],
    area: 'paths',
    cases: /^a fragment /,
    why: 'a Request has no fragment',
  },
  {
    runtimes: ['Bun'],
    area: 'paths',
    cases: /\bdot (segment|at)/,
    why: 'dot segments are resolved before the App sees the path',
  },
  {
    runtimes: ['Bun'],
    area: 'identity',
    cases: /^dot segments /,
    why: 'dot segments are resolved before the App sees the path',
  },
  {
    runtimes: ['Bun'],
    area: 'static files',
    cases: /^(encoded )?dot segments$/,
    why: 'dot segments are resolved before the App sees the path',
  },
  {
    runtimes: ['Bun'],
    area: 'mounted fetch handlers',
    cases: /^a backslash is not a slash$/,
    why: 'Bun turns an encoded backslash into a slash when a URL is made',
  },
  {
    runtimes: ['Bun'],
    area: 'errors',
    cases: /^a returned (URLSearchParams|Headers), whose JSON would be \{\}$/,
    why: 'both have a JSON form on Bun',
  },
  {
    runtimes: ['Bun'],
    area: 'streaming',
    cases:
      /^(a stream of text and bytes|events|events drop a Content-Length|queued fields apply to events|events that keep alive)$/,
    why: 'Bun sends a stream that ends at once with its length',
  },
  {
    runtimes: ['Bun', 'Deno'],
    area: 'streaming',
    cases: /^HEAD of events produces nothing$/,
    why: 'a response without a body has the length 0',
  },
  {
    runtimes: ['Bun'],
    area: 'static files',
    cases: /^(range: of )?a large file$/,
    why: 'Bun sends streams in chunks, without their length',
  },
  {
    runtimes: ['workerd'],
    area: 'results',
    cases: /fields of its connection/,
    why: 'workerd sends streams in chunks, without their length',
  },
  {
    runtimes: ['workerd'],
    area: 'results',
    cases: /^a field in Latin-1 /,
    why: 'workerd sends header fields in UTF-8',
  },
  {
    runtimes: ['workerd'],
    area: 'cookies',
    cases: /^(any other white space is part of a name|and of a value)$/,
    why: 'workerd reads header fields as UTF-8',
  },
  { runtimes: ['workerd'], area: 'static files', cases: /./, why: 'there is no file system' },
  { runtimes: ['workerd'], area: 'single pages', cases: /./, why: 'there is no file system' },
  {
    runtimes: ['Bun', 'Deno'],
    area: 'results',
    cases: /^the length of HEAD \/(broken|unknown)$/,
    why: 'a response without a body has the length 0',
  },
  {
    runtimes: ['Bun', 'Deno'],
    area: 'compression',
    cases: /^HEAD of 5000 bytes that the handler has not made$/,
    why: 'a response without a body has the length 0',
  },
  {
    runtimes: ['Deno', 'workerd'],
    area: 'results',
    cases: /^the length of 304$/,
    why: 'the runtime leaves out the length of 304',
  },
  {
    runtimes: ['Deno'],
    area: 'results',
    cases: /^the length of HEAD \/unchanged$/,
    why: 'the runtime leaves out the length of 304',
  },
  {
    runtimes: ['Bun'],
    area: 'mounted fetch handlers',
    cases: /^a backslash behind a kept prefix$/,
    why: 'Bun turns an encoded backslash into a slash when a URL is made',
  },
];

/** Why the case has another answer on the runtime; undefined if it has the same one. */
export function differenceOf(runtime: string, area: string, name: string): string | undefined {
  const found = differences.find(
    (one) => one.runtimes.includes(runtime) && one.area === area && one.cases.test(name),
  );
  return found?.why;
}
