// Conformance tests: the page of the documentation that lists the cases and their results.
import type { Case, Result } from './case.js';
import { closeCases } from './close-cases.js';
import { compressionCases } from './compression-cases.js';
import { framingCases } from './framing-cases.js';
import { sizeCases } from './size-cases.js';
import { utf8Cases } from './utf8-cases.js';

const GROUPS: Readonly<Record<string, string>> = {
  1: 'messages of many sizes',
  2: 'pings and pongs',
  3: 'reserved bits',
  4: 'reserved opcodes',
  5: 'fragments',
  6: 'UTF-8',
  7: 'closing',
  9: 'large messages, many messages',
  10: 'automatic fragments',
  12: 'compression',
  13: 'parameters of compression',
};

const all: readonly Case[] = [
  ...framingCases,
  ...utf8Cases,
  ...closeCases,
  ...sizeCases,
  ...compressionCases,
];

/** The page as Markdown. */
export function conformancePage(): string {
  const rows = Object.entries(GROUPS).map(([group, what]) => row(group, what));
  const count = (result: Result) => String(all.filter((one) => resultOf(one) === result).length);
  const sum = ['', `${all.length} cases`, '', count('OK'), count('NON-STRICT'), count('LIMIT')];
  const head = [
    ['Group', 'About', 'Cases', 'OK', 'Non-strict', 'Limit'],
    ['---', '---', '---', '---', '---', '---'],
  ];
  const table = [...head, ...rows, sum].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return PAGE.replace('TABLE', table);
}

function resultOf({ result = 'OK' }: Case): Result {
  return result;
}

function row(group: string, what: string): string[] {
  const cases = all.filter(({ id }) => id.startsWith(`${group}.`));
  const ids = (result: Result) => {
    const found = cases.filter((one) => resultOf(one) === result).map(({ id }) => id);
    return found.length === 0 ? '' : found.join(', ');
  };
  const ok = cases.filter((one) => resultOf(one) === 'OK').length;
  return [group, what, rangesOf(cases), String(ok), ids('NON-STRICT'), ids('LIMIT')];
}

/** The ids of cases as `6.1.1–6.1.3`, one range for each group. */
function rangesOf(cases: readonly Case[]): string {
  const groups = new Map<string, string[]>();
  for (const { id } of cases) {
    const group = id.replace(/\.\d+$/, '');
    groups.set(group, [...(groups.get(group) ?? []), id]);
  }
  const last = (id: string): number => Number(id.slice(id.lastIndexOf('.') + 1));
  return [...groups.values()]
    .map((ids) => ids.sort((a, b) => last(a) - last(b)))
    .sort(([a = ''], [b = '']) => a.localeCompare(b, 'en', { numeric: true }))
    .map((ids) => (ids.length === 1 ? `${ids[0]}` : `${ids[0]}–${ids.at(-1)}`))
    .join(', ');
}

const PAGE = `# Conformance of WebSockets

The tests of \`fw\` contain the cases of the [Autobahn test suite](https://github.com/crossbario/autobahn-testsuite) for servers of RFC 6455 and RFC 7692, under its ids, with a driver of their own: raw frames over TCP against an echo server of \`app.websocket\`. Where the suite accepts any failure of the connection, the tests also demand the close code: 1002 for a frame that breaks the protocol, 1007 for text that is not UTF-8.

TABLE

- **Non-strict** (6.4.1 to 6.4.4): the suite wants a server to fail as soon as an octet cannot belong to UTF-8. \`ws\`, which reads the frames, checks a text when it is complete; then the connection is closed with 1007, as RFC 6455, section 8.1 demands.
- **Limit** (9.3.1, 9.4.1): a message may have 16,384 fragments; those of these cases have 65,536, and are closed with 1008. The other cases of group 9 run with \`maxMessageSize\` and \`maxFrameSize\` of 17 MiB: by default, messages over 10 MB and frames over 1 MB are closed with 1009, see [Limits](limits.md).
- **Compression**: run with \`compression: { minSize: 1 }\`, 20 instead of 1,000 messages in each case, and with texts and sizes in the order of the suite rather than its files: 12.1 JSON, 12.2 octets that hardly compress. 12.3 to 12.5, which have other texts, and the fragments of 12.2 and 13 are left out.
- Clients of \`fw\` are those of browsers and Node.js, so the suite's cases for clients do not apply.

\`npx tsx .ci/autobahn.ts --update\` writes this page from the cases; a unit test fails if it is not current.
`;
