// Requests whose answers are printed, a line of JSON for each, for the comparison with the document.

/** Like `fetch`. */
export async function recorded(input: string | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const answer = await fetch(request);
  const { status, headers } = answer;
  const line = { method: request.method, path: new URL(request.url).pathname, status };
  const type = headers.get('content-type');
  console.log(
    JSON.stringify({ ...line, type, location: headers.get('location'), body: await answer.clone().text() }),
  );
  return answer;
}
