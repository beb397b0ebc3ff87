// The page about an API: the body of an answer, in the form in which it is shown.

export type ReceivedBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'image' | 'binary'; readonly blob: Blob; readonly type: string };

/** Longer texts are shown as far as this. */
const LONGEST_TEXT = 500_000;
/** Larger JSON is shown as text. */
const LARGEST_JSON = 5_000_000;

export async function readBody(blob: Blob, contentType: string): Promise<ReceivedBody> {
  if (blob.size === 0) return { kind: 'empty' };
  const type = contentType.split(';', 1)[0]?.toLowerCase() ?? '';
  if (/^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon)$/.test(type))
    return { kind: 'image', blob, type };
  if (/[/+]json$/.test(type) && blob.size <= LARGEST_JSON) return readJsonBody(await blob.text());
  if (type === '' || /^text\/|[/+](?:json|xml|yaml|javascript)$|x-www-form-urlencoded/.test(type)) {
    const text = await blob.slice(0, LONGEST_TEXT).text();
    return { kind: 'text', text, isCut: blob.size > LONGEST_TEXT };
  }
  return { kind: 'binary', blob, type };
}

function readJsonBody(text: string): ReceivedBody {
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown, text };
  } catch {
    // The server said that it is JSON; a reader sees that it is not.
    return { kind: 'text', text: text.slice(0, LONGEST_TEXT), isCut: text.length > LONGEST_TEXT };
  }
}
