// A call as a command of PowerShell. `Invoke-WebRequest` and not curl.exe: versions of PowerShell pass quotes to programs
// in different ways, and JSON is full of them.

/** PowerShell takes each of these for a single quote (about_Quoting_Rules), so each is doubled. */
const QUOTES = /['\u2018\u2019\u201a\u201b]/g;
/** What a terminal may act on while it is pasted, and what turns the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /([\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069])/;

/** An expression whose value is the text: everything in single quotes stands for itself, but the quotes. */
export function powerShellText(text: string): string {
  const parts = text.split(UNPRINTABLE).filter((part) => part !== '');
  const terms = parts.map((part) =>
    UNPRINTABLE.test(part) ? `[char]${part.charCodeAt(0)}` : `'${part.replace(QUOTES, '$&$&')}'`,
  );
  if (terms.length === 0) return "''";
  if (terms.length === 1 && terms[0]?.startsWith("'")) return terms[0];
  // The first operand decides the type of the sum: an empty text makes it one.
  return `(${terms[0]?.startsWith("'") ? '' : "'' + "}${terms.join(' + ')})`;
}

/** Values are expressions, as `powerShellText` makes them. */
export interface PowerShellCall {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly cookies: readonly (readonly [name: string, value: string])[];
  readonly body?: PowerShellBody | undefined;
}

export type PowerShellBody =
  | { readonly text: string }
  | { readonly file: string }
  | {
      readonly parts: readonly (readonly [
        name: string,
        value: { readonly text: string } | { readonly file: string },
      ])[];
    };

/** For Windows PowerShell 5.1 and PowerShell 7; forms with files need 7. */
export function powerShellCall({ method, url, headers, cookies, body }: PowerShellCall): string {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type');
  const others = headers.filter((one) => one !== type);
  const lines = [`Invoke-WebRequest -UseBasicParsing -Uri ${url}`];
  if (method !== 'GET') lines.push(`-Method ${powerShellText(method)}`);
  if (cookies.length > 0) lines.push('-WebSession $session');
  if (others.length > 0) lines.push(`-Headers ${table(others)}`);
  if (type !== undefined) lines.push(`-ContentType ${type[1]}`);
  // A text would be sent as Latin-1 by version 5.1.
  if (body !== undefined && 'text' in body)
    lines.push(`-Body ([System.Text.Encoding]::UTF8.GetBytes(${body.text}))`);
  if (body !== undefined && 'file' in body) lines.push(`-InFile ${body.file}`);
  if (body !== undefined && 'parts' in body) {
    const parts = body.parts.map(
      ([name, value]) =>
        [name, 'text' in value ? value.text : `(Get-Item -LiteralPath ${value.file})`] as const,
    );
    lines.push(`-Form ${table(parts)}`);
  }
  return [...sessionLines(url, cookies), lines.join(' `\n  ')].join('\n');
}

/** A header field `Cookie` is ignored by version 5.1. */
function sessionLines(url: string, cookies: PowerShellCall['cookies']): string[] {
  if (cookies.length === 0) return [];
  return [
    '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession',
    ...cookies.map(
      ([name, value]) =>
        `$session.Cookies.Add((New-Object System.Net.Cookie(${powerShellText(name)}, ${value}, '/', ([uri]${url}).Host)))`,
    ),
  ];
}

function table(pairs: readonly (readonly [name: string, value: string])[]): string {
  return `@{ ${pairs.map(([name, value]) => `${powerShellText(name)} = ${value}`).join('; ')} }`;
}
