import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config-error.js';
import { parsePattern } from './pattern.js';
import { type RouteEntry, Router } from './router.js';

function entry(method: string, source: string, place = 'app.ts:1:1'): RouteEntry {
  return { method, pattern: parsePattern(source), place: () => place };
}

function routerOf(...sources: string[]): Router<RouteEntry> {
  const router = new Router<RouteEntry>();
  for (const source of sources) router.add(entry('GET', source));
  return router;
}

const found = (router: Router<RouteEntry>, path: string) => {
  const match = router.find('GET', path);
  return match && [match.value.pattern.source, ...match.params];
};

describe('Router', () => {
  it('splits and joins shared prefixes in any order of registration', () => {
    const router = routerOf('/team/:id', '/tea', '/teapot/:kind', '/t/*all', '/team/:id/roles', '/te/:x/end');
    expect(found(router, '/tea')).toEqual(['/tea']);
    expect(found(router, '/team/1')).toEqual(['/team/:id', '1']);
    expect(found(router, '/teapot/oolong')).toEqual(['/teapot/:kind', 'oolong']);
    expect(found(router, '/team/1/roles')).toEqual(['/team/:id/roles', '1']);
    expect(found(router, '/t/a/b')).toEqual(['/t/*all', 'a/b']);
    expect(found(router, '/te/q/end')).toEqual(['/te/:x/end', 'q']);
    expect(found(router, '/te/q/endless')).toBeUndefined();
  });

  it('allows different parameter names at one position', () => {
    const router = routerOf('/a/:one/x', '/a/:two/y');
    expect(router.find('GET', '/a/1/y')?.value.pattern.names).toEqual(['two']);
  });

  it('falls back to the nearest rest parameter', () => {
    const router = routerOf('/*all', '/a/:b/c', '/a/*more');
    expect(found(router, '/a/1/c')).toEqual(['/a/:b/c', '1']);
    expect(found(router, '/a/1/d')).toEqual(['/a/*more', '1/d']);
    expect(found(router, '/b')).toEqual(['/*all', 'b']);
    expect(found(router, '/')).toBeUndefined();
  });

  it('matches literal text outside of ASCII', () => {
    expect(found(routerOf('/straße/:nr', '/strand/:nr'), '/straße/7')).toEqual(['/straße/:nr', '7']);
  });

  it('does not confuse low character codes with markers of its own', () => {
    const router = routerOf('/a', '/b', '/\u0001');
    expect(found(router, '/\u0000')).toBeUndefined();
    const tree = routerOf('/a/:x', '/b/:x', '/\u0001/:x');
    expect(found(tree, '/\u0001/1')).toEqual(['/\u0001/:x', '1']);
    expect(found(tree, '/\u0000/1')).toBeUndefined();
  });

  it.each([254, 255, 256, 400])('finds static paths of %d characters, and a short one', (length) => {
    const long = `/${'x'.repeat(length)}`;
    const router = routerOf(long, '/');
    expect(found(router, long)).toEqual([long]);
    expect(found(router, '/')).toEqual(['/']);
    expect(found(router, `${long}y`)).toBeUndefined();
  });

  it('refuses the same pattern twice, and reports both places', () => {
    const router = new Router<RouteEntry>();
    router.add(entry('GET', '/users/:id', 'users.ts:3:5'));
    expect(() => router.add(entry('GET', '/users/:name', 'admin.ts:9:5'))).toThrow(
      new ConfigError(
        'FW_ROUTE_CONFLICT',
        'route conflict: GET /users/:name (admin.ts:9:5) matches the same requests as GET /users/:id (users.ts:3:5); remove or rename one of them',
      ),
    );
    router.add(entry('POST', '/users/:name'));
    router.add(entry('GET', '/static', 'a.ts:1:1'));
    expect(() => router.add(entry('GET', '/static', 'b.ts:2:2'))).toThrow('a.ts:1:1');
    router.add(entry('GET', '/r/*rest'));
    expect(() => router.add(entry('GET', '/r/*other'))).toThrow('route conflict');
  });

  it('prefers a method to `all` in either order, and refuses `all` twice', () => {
    const router = new Router<RouteEntry>();
    router.add(entry('GET', '/a/:x'));
    router.add(entry('*', '/a/:x'));
    router.add(entry('*', '/b'));
    router.add(entry('GET', '/b'));
    expect(router.find('GET', '/a/1')?.value.method).toBe('GET');
    expect(router.find('PUT', '/a/1')?.value.method).toBe('*');
    expect(router.find('GET', '/b')?.value.method).toBe('GET');
    expect(router.find('PURGE', '/b')?.value.method).toBe('*');
    expect(() => router.add(entry('*', '/b'))).toThrow('ALL /b');
  });

  it('replaces a route of `all` at any depth: params, rest and static text', () => {
    const router = new Router<RouteEntry>();
    const sources = ['/a/:x', '/a/:x/more', '/b/*rest', '/c', '/:y'];
    for (const source of sources) router.add(entry('*', source));
    for (const source of sources) router.add(entry('GET', source));
    for (const path of ['/a/1', '/a/1/more', '/b/1/2', '/c', '/d']) {
      expect(router.find('GET', path)?.value.method, path).toBe('GET');
      expect(router.find('POST', path)?.value.method, path).toBe('*');
      expect(router.find('PURGE', path)?.value.method, path).toBe('*');
    }
  });

  it('keeps the routes below a route that is replaced', () => {
    const router = new Router<RouteEntry>();
    for (const source of ['/a/:x', '/a/:x/more']) router.add(entry('*', source));
    router.add(entry('GET', '/a/:x'));
    expect(found(router, '/a/1/more')).toEqual(['/a/:x/more', '1']);
  });

  it('answers HEAD with GET, and other methods only with their own route', () => {
    const router = routerOf('/a', '/b/:x');
    expect(router.find('HEAD', '/a')?.value.method).toBe('GET');
    expect(router.find('HEAD', '/b/1')?.value.method).toBe('GET');
    for (const method of ['POST', 'PURGE']) expect(router.find(method, '/a'), method).toBeUndefined();
    const posts = new Router<RouteEntry>();
    posts.add(entry('POST', '/a'));
    for (const method of ['GET', 'HEAD']) expect(posts.find(method, '/a'), method).toBeUndefined();
  });

  it('lists the methods of a path and of the application, sorted, with HEAD and OPTIONS', () => {
    const router = routerOf('/a', '/b/:x');
    router.add(entry('DELETE', '/a'));
    router.add(entry('POST', '/p'));
    expect(router.allowed('/a')).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS']);
    expect(router.allowed('/b/1')).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(router.allowed('/p')).toEqual(['OPTIONS', 'POST']);
    expect(router.allowed('/none')).toEqual([]);
    expect(router.methods()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']);
    const posts = new Router<RouteEntry>();
    posts.add(entry('POST', '/p'));
    expect(posts.methods()).toEqual(['OPTIONS', 'POST']);
    const all = new Router<RouteEntry>();
    all.add(entry('*', '/x'));
    const named = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
    expect(all.methods()).toEqual(named);
    expect(all.allowed('/x')).toEqual(named);
  });

  it('agrees with a simple matcher for thousands of random routes and paths', () => {
    const random = generator(20_261_120);
    for (let round = 0; round < 60; round++) {
      const sources = new Map<string, string>();
      for (let i = 0; i < 25; i++) {
        const source = randomPattern(random);
        sources.set(source.replace(/:\w+/g, ':').replace(/\*\w+/g, '*'), source);
      }
      const router = routerOf(...sources.values());
      for (let i = 0; i < 60; i++) {
        const path = randomPath(random);
        expect(found(router, path), `${path} among ${[...sources.values()].join(' ')}`).toEqual(
          plainMatch([...sources.values()], path),
        );
      }
    }
  });
});

describe('parsePattern', () => {
  it.each([
    ['users', "start it with '/': '/users'"],
    ['', "start it with '/'"],
    ['/a/:', "':' needs a name"],
    ['/a/:b-c', "'b-c' is not a name"],
    ['/a/*', "'*' needs a name"],
    ['/a/:id?', "register one route for '/a' and one for '/a/:id'"],
    ['/:id?', "register one route for '/' and one for '/:id'"],
    ['/a/:id(\\d+)', "write ':id', and check its value"],
    ['/a/:id{[0-9]+}', "write ':id', and check its value"],
    ['/a/:path*', "write the rest of the path as '*path'"],
    ['/a/:name.json', "a parameter is a whole segment, like '/:name/'"],
    ['/a/*rest/b', 'must be the last segment'],
    ['/a/:x/:x', "the name 'x' is used twice"],
    ['/a?b=1', 'read it with ctx.req.query()'],
    ['/a#b', 'never reaches the server'],
    ['/a/../b', "requests with a '..' segment are answered 400"],
    ['/a/{id}', "write a parameter as ':id'"],
    ['/[id]/b', "write a parameter as ':id'"],
    ['/a/<user_id>', "write a parameter as ':user_id'"],
    ['/a/./b', "requests with a '.' segment are answered 400"],
    ['/caf%C3%A9', "write it decoded: '/café'"],
    ['/caf%E9', "write it decoded: '/caf%E9'"],
  ])('refuses %s, and shows it in the message', (source, why) => {
    // With a string alone, toThrow would also accept a thrown `undefined`.
    const message = expect.stringContaining(why);
    expect(() => parsePattern(source)).toThrow(expect.objectContaining({ message }));
    expect(() => parsePattern(source)).toThrow(`malformed route pattern '${source}': `);
  });

  it('ends with the named part if nothing follows', () => {
    expect(parsePattern('/a/:x').parts).toEqual([
      { kind: 'static', text: '/a/' },
      { kind: 'param', name: 'x' },
    ]);
  });

  it('accepts a percent sign without an escape as text, in the form that the router sees', () => {
    expect(parsePattern('/100%/5%a').parts).toEqual([{ kind: 'static', text: '/100%25/5%25a' }]);
  });

  it('accepts a colon or star inside a segment as text', () => {
    expect(parsePattern('/a:b/c*d').parts).toEqual([{ kind: 'static', text: '/a:b/c*d' }]);
  });
});

/** The rule in its simplest form: segment by segment, static before param before rest, with backtracking. */
function plainMatch(sources: string[], path: string): string[] | undefined {
  const walk = (
    candidates: string[][],
    at: number,
    segments: string[],
    params: string[],
  ): string[] | undefined => {
    if (at === segments.length) {
      const exact = candidates.find((parts) => parts.length === at);
      return exact && [`/${exact.join('/')}`, ...params];
    }
    const segment = segments[at] ?? '';
    const fixed = candidates.filter((parts) => parts[at] === segment);
    const viaFixed = fixed.length > 0 ? walk(fixed, at + 1, segments, params) : undefined;
    if (viaFixed) return viaFixed;
    const named = candidates.filter((parts) => parts[at]?.startsWith(':'));
    const viaParam =
      segment !== '' && named.length > 0 ? walk(named, at + 1, segments, [...params, segment]) : undefined;
    if (viaParam) return viaParam;
    const rest = candidates.find((parts) => parts[at]?.startsWith('*'));
    const remaining = segments.slice(at).join('/');
    return rest && remaining !== '' ? [`/${rest.join('/')}`, ...params, remaining] : undefined;
  };
  return walk(
    sources.map((source) => source.slice(1).split('/')),
    0,
    path.slice(1).split('/'),
    [],
  );
}

const words = ['a', 'ab', 'abc', 'b', 'ba', 'c', ''];

function randomPattern(random: () => number): string {
  const length = 1 + Math.floor(random() * 4);
  const segments: string[] = [];
  for (let i = 0; i < length; i++) {
    const roll = random();
    if (roll < 0.3) segments.push(`:p${i}`);
    else if (roll < 0.4 && i === length - 1) segments.push('*rest');
    else segments.push(words[Math.floor(random() * words.length)] as string);
  }
  return `/${segments.join('/')}`;
}

function randomPath(random: () => number): string {
  const length = 1 + Math.floor(random() * 5);
  return `/${Array.from({ length }, () => words[Math.floor(random() * words.length)]).join('/')}`;
}

/** A small generator of repeatable random numbers (mulberry32), so that a failure can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
