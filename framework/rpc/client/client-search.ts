// The client: the text of the code that writes an input as a query string.

const pairs = `Object.entries((input ?? {}) as Record<string, unknown>)
PAD.flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((one): [string, unknown] => [key, one]))
PAD.filter(([, value]) => value !== undefined && value !== null)
PAD.map(([key, value]) => \`\${encodeURIComponent(key)}=\${encodeURIComponent(String(value))}\`);
`;

/** The lines of `#query` that write an input as a query string; a client with subscriptions has them in a function. */
export function searchLines(hasSubscriptions: boolean): string {
  if (hasSubscriptions) return '    const search = searchOf(input);\n';
  return `    const pairs = ${pairs.replaceAll('PAD', '      ')}    const search = pairs.length === 0 ? '' : \`?\${pairs.join('&')}\`;\n`;
}

export const searchFunction: string = `
function searchOf(input: unknown): string {
  const pairs = ${pairs.replaceAll('PAD', '    ')}  return pairs.length === 0 ? '' : \`?\${pairs.join('&')}\`;
}
`;
