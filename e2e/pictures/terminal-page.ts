// What a terminal shows, as a page that can be photographed.

/** Colours of the codes that `fw dev` prints (ECMA-48, SGR). */
const COLOURS: Readonly<Record<string, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#f2cc60',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  90: '#8b949e',
};

interface Style {
  readonly colour?: string | undefined;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

/** A dark terminal of 100 columns. */
export function terminalPage(text: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: #0d1117; }
pre { margin: 16px; width: 100ch; color: #e6edf3; font: 14px/1.45 monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
</style><pre>${spansOf(text)}</pre>`;
}

function spansOf(text: string): string {
  let style: Style = {};
  const [first = '', ...rest] = text.split('\u001b[');
  const spans = rest.map((part) => {
    const end = part.indexOf('m');
    for (const code of part.slice(0, end).split(';')) style = withCode(style, code);
    return spanOf(part.slice(end + 1), style);
  });
  return spanOf(first, {}) + spans.join('');
}

function withCode(style: Style, code: string): Style {
  if (code === '' || code === '0') return {};
  if (code === '1') return { ...style, isBold: true };
  if (code === '2') return { ...style, isDim: true };
  if (code === '22') return { ...style, isBold: false, isDim: false };
  if (code === '39') return { ...style, colour: undefined };
  return { ...style, colour: COLOURS[code] ?? style.colour };
}

function spanOf(text: string, { colour, isBold, isDim }: Style): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rules = [
    colour === undefined ? '' : `color: ${colour}`,
    isBold === true ? 'font-weight: bold' : '',
    isDim === true ? 'opacity: 0.65' : '',
  ].filter(Boolean);
  return rules.length === 0 ? shown : `<span style="${rules.join('; ')}">${shown}</span>`;
}
