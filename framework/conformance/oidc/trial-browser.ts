// A browser for tests of sign-ins: it keeps the cookies of each server, and follows redirects step by step.

export interface Page {
  readonly status: number;
  readonly url: string;
  readonly location: string | undefined;
  readonly setCookies: readonly string[];
  readonly text: string;
}

export class TrialBrowser {
  /** By origin and name. */
  readonly cookies: Map<string, string> = new Map();

  /** One request, whose redirect is not followed. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    const { origin } = new URL(url);
    const cookie = [...this.cookies]
      .filter(([key]) => key.startsWith(`${origin} `))
      .map(([key, value]) => `${key.slice(origin.length + 1)}=${value}`)
      .join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        connection: 'close',
        ...(cookie !== '' && { cookie }),
        ...(init.headers as Record<string, string>),
      },
    });
    const setCookies = response.headers.getSetCookie();
    for (const one of setCookies) this.#keep(origin, one);
    const location = response.headers.get('location');
    return {
      status: response.status,
      url,
      location: location === null ? undefined : new URL(location, url).href,
      setCookies,
      text: await response.text(),
    };
  }

  /** Follows redirects, until there is none or the next address is one to stop at. */
  async walk(url: string, stopAt?: (url: string) => boolean): Promise<Page> {
    let page = await this.open(url);
    for (let step = 0; page.location !== undefined && step < 20; step++) {
      if (stopAt?.(page.location)) return page;
      page = await this.open(page.location);
    }
    return page;
  }

  #keep(origin: string, setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    const isGone = /; max-age=0\b|; expires=thu, 01 jan 1970/i.test(setCookie);
    if (isGone) this.cookies.delete(`${origin} ${name}`);
    else this.cookies.set(`${origin} ${name}`, value);
  }
}
