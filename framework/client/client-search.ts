// The client: the text of the code that writes an input as a query string.

function pairsOf(input: string, indent: string): string {
  return `Object.entries((${input} ?? {}) as Record<string, unknown>)
${indent}.flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((one): [string, unknown] => [key, one]))
${indent}.filter(([, value]) => value !== undefined && value !== null)
${indent}.map(([key, value]) => \`\${encodeURIComponent(key)}=\${encodeURIComponent(String(value))}\`);
`;
}

/** The lines of `#query` that write an input as a query string; a client with subscriptions has them in a function. */
export function searchLines(hasSubscriptions: boolean, input: string): string {
  if (hasSubscriptions) return `    const search = searchOf(${input});\n`;
  return `    const pairs = ${pairsOf(input, '      ')}    const search = pairs.length === 0 ? '' : \`?\${pairs.join('&')}\`;\n`;
}

export const searchFunction: string = `
function searchOf(input: unknown): string {
  const pairs = ${pairsOf('input', '    ')}  return pairs.length === 0 ? '' : \`?\${pairs.join('&')}\`;
}
`;
