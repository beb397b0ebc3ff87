// Conformance: an answer of a running server that a test reads when and as far as it wants.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** An answer whose body nobody reads until the test does. */
export async function openAnswer(url: string): Promise<IncomingMessage> {
  const request = get(url, { agent: false });
  request.on('error', () => {});
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  return answer;
}

export async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return text;
}
