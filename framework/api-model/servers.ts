// A model of an API: the address that an operation is called at.
import { fieldsOf, isFields, listOf, textOf } from './unknown-value.js';

/** The first server that is this one, else the first at all. Without a slash at its end. */
export function baseOf(lists: readonly unknown[], documentUrl: string): string {
  const servers = lists.map(listOf).find(({ length }) => length > 0) ?? [];
  const urls = servers.filter(isFields).flatMap((server) => {
    const url = withVariables(textOf(server.url) ?? '/', fieldsOf(server.variables));
    return URL.canParse(url, documentUrl) ? [new URL(url, documentUrl)] : [];
  });
  const { origin } = new URL(documentUrl);
  const found = urls.find((url) => url.origin === origin) ?? urls[0] ?? new URL('/', documentUrl);
  return (found.origin + found.pathname).replace(/\/$/, '');
}

/** Variables have their default values. */
function withVariables(url: string, variables: ReturnType<typeof fieldsOf>): string {
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const { default: value } = fieldsOf(Object.hasOwn(variables, name) ? variables[name] : undefined);
    return typeof value === 'string' ? value : whole;
  });
}

/** Whether the policy of the page lets it call the address. */
export function isOwn(url: string, pageUrl: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(pageUrl).origin;
}
