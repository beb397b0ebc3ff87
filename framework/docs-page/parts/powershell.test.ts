import { describe, expect, it } from 'vitest';
import { powerShellCall, powerShellText } from './powershell.js';

/** What PowerShell makes of such an expression: doubled quotes are one, `[char]` is its character. */
function evaluated(expression: string): string {
  const term = /'((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)'|\[char\](\d+)| \+ |[()]/gy;
  let value = '';
  while (term.lastIndex < expression.length) {
    const at = term.lastIndex;
    const found = term.exec(expression);
    if (found === null) throw new Error(`no term at ${at} of ${expression}`);
    if (found[1] !== undefined) value += found[1].replace(/(['\u2018-\u201b])\1/g, '$1');
    if (found[2] !== undefined) value += String.fromCharCode(Number(found[2]));
  }
  return value;
}

describe('a text for PowerShell', () => {
  it.each([
    '',
    'plain',
    'it\'s $HOME `n $(calc) "x"',
    'all quotes: \u2018 \u2019 \u201a \u201b',
    "ends with '",
    '\u001b[2J\u0000',
    'two\nlines\r\n',
    '\u202e turned',
  ])('is exactly %j', (text) => {
    const expression = powerShellText(text);
    expect(evaluated(expression)).toBe(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(expression).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('a call with PowerShell', () => {
  it('has its fields, and a text as UTF-8', () => {
    const call = powerShellCall({
      method: 'POST',
      url: "'http://a.example/x'",
      headers: [
        ['Content-Type', "'application/json'"],
        ['Authorization', "('Bearer ' + $env:TOKEN)"],
      ],
      cookies: [],
      body: { text: `'{"a":1}'` },
    });
    expect(call).toBe(
      [
        "Invoke-WebRequest -UseBasicParsing -Uri 'http://a.example/x' `",
        "  -Method 'POST' `",
        "  -Headers @{ 'Authorization' = ('Bearer ' + $env:TOKEN) } `",
        "  -ContentType 'application/json' `",
        `  -Body ([System.Text.Encoding]::UTF8.GetBytes('{"a":1}'))`,
      ].join('\n'),
    );
  });

  it('has cookies in a session, and forms and files by their names', () => {
    const call = powerShellCall({
      method: 'GET',
      url: "'http://a.example/x'",
      headers: [],
      cookies: [['a', "'b'"]],
    });
    expect(call).toBe(
      [
        '$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession',
        "$session.Cookies.Add((New-Object System.Net.Cookie('a', 'b', '/', ([uri]'http://a.example/x').Host)))",
        "Invoke-WebRequest -UseBasicParsing -Uri 'http://a.example/x' `",
        '  -WebSession $session',
      ].join('\n'),
    );
    const form = { parts: [['note', { text: "'x'" }] as const, ['file', { file: "'a.txt'" }] as const] };
    const sent = { method: 'PUT', url: "'/'", headers: [], cookies: [] };
    expect(powerShellCall({ ...sent, body: form })).toContain(
      "-Form @{ 'note' = 'x'; 'file' = (Get-Item -LiteralPath 'a.txt') }",
    );
    expect(powerShellCall({ ...sent, body: { file: "'a.bin'" } })).toContain("-InFile 'a.bin'");
  });
});
