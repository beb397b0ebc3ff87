// The page about the app: a recorded request as JavaScript with `fetch`, and a WebSocket as one that opens it again.
import type { RequestDetail } from '../../protocol.js';
import { copiedBody, copiedHeaders } from './copied-request.js';
import { commentText, literal, SourceWriter } from './source-text.js';

/** For Node.js, Deno and Bun; in the console of a browser, which sets cookies itself, too. */
export function asFetch(request: RequestDetail): string {
  const { method, origin, target, requestBody } = request;
  const source = new SourceWriter();
  const url = source.text(`${origin}${target.startsWith('/') ? target : '/'}`);
  const headers = copiedHeaders(request);
  const options = method === 'GET' ? [] : [`method: ${literal(method)}`];
  if (headers.length > 0) options.push(`headers: ${source.headers(headers)}`);
  const body = copiedBody(request);
  const notes: string[] = [];
  // Neither method can have a body (Fetch Standard, section 5.3).
  if (body !== undefined && /^(?:GET|HEAD)$/.test(method)) notes.push('fetch sends no body with this method');
  else if (body !== undefined && 'file' in body) {
    notes.push(`${requestBody?.size} bytes of ${commentText(requestBody?.type ?? '')} were not kept as text`);
    options.push("body: '' /* write it here */");
  } else if (body !== undefined) options.push(`body: ${bodySource(body.text, source)}`);
  const init = options.length === 0 ? '' : `, {\n${options.map((one) => `  ${one},\n`).join('')}}`;
  const lines = [
    ...source.declarations,
    ...notes.map((note) => `// ${note}`),
    `const response = await fetch(${url}${init});`,
    'console.log(response.status, await response.text());',
  ];
  return `${lines.join('\n')}\n`;
}

/** JSON reads better as a value, if that is written in the same way. */
function bodySource(text: string, source: SourceWriter): string {
  try {
    const value = JSON.parse(text) as unknown;
    if (JSON.stringify(value) === text) return `JSON.stringify(${source.json(value, '  ')})`;
  } catch {
    // Not JSON.
  }
  return source.text(text);
}

/** @param request that of a WebSocket */
export function asWebSocket(request: RequestDetail): string {
  const { origin, target, requestHeaders } = request;
  const source = new SourceWriter();
  const url = source.text(`${origin.replace(/^http/, 'ws')}${target}`);
  const offered = requestHeaders
    .filter(([name]) => name.toLowerCase() === 'sec-websocket-protocol')
    .flatMap(([, value]) => value.split(/[ \t]*,[ \t]*/))
    .filter((name) => name !== '');
  const protocols = offered.map((name) => source.text(name, 'protocol'));
  const lines = [
    `const socket = new WebSocket(${url}${protocols.length === 0 ? '' : `, [${protocols.join(', ')}]`});`,
    "socket.onmessage = ({ data }) => console.log('message', data);",
    "socket.onclose = ({ code, reason }) => console.log('closed', code, reason);",
  ];
  return `${[...source.declarations, ...lines].join('\n')}\n`;
}
