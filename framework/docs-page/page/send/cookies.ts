// The page about an API: cookies of one request. Scripts cannot give them to `fetch`, so they are set for its time.

/** Cookies that the server keeps from scripts stay as they are. */
export async function withCookies<Result>(
  cookies: readonly (readonly [name: string, value: string])[],
  work: () => Promise<Result>,
): Promise<Result> {
  const before = cookies.map(([name]) => [name, present(name)] as const);
  for (const [name, value] of cookies) set(name, value);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}

function present(name: string): string | undefined {
  const found = document.cookie.split('; ').find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** With undefined, it is removed. */
function set(name: string, value: string | undefined): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const life = value === undefined ? '; Max-Age=0' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists only in secure contexts.
  document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Strict${secure}${life}`;
}
