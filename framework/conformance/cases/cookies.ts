// Cases: cookies of requests and responses.
import { App } from '../../app/app.js';
import { Cookie, SameSite } from '../../http/cookie.js';
import type { Case } from '../case.js';

const echo = () => new App().get('/', (ctx) => ctx.json(ctx.cookies()));

const reading = (name: string, header: string, body: unknown): Case => ({
  name,
  app: echo,
  request: { path: '/', headers: { Cookie: header } },
  status: 200,
  body,
});

export const cookies: Case[] = [
  { name: 'no cookies', app: echo, request: { path: '/' }, status: 200, body: {} },
  reading('several', 'a=1; b=2', { a: '1', b: '2' }),
  reading('the first duplicate wins', 'a=1; a=2', { a: '1' }),
  reading('values are raw', 'a=%20x; b="q"', { a: '%20x', b: '"q"' }),
  reading('a value may hold an equals sign', 'a=b=c', { a: 'b=c' }),
  reading('space and tab around names and values are dropped', 'a = 1 ;\tb=2\t', { a: '1', b: '2' }),
  reading('any other white space is part of a name', '\u00a0__Host-sid=evil; __Host-sid=good', {
    '\u00a0__Host-sid': 'evil',
    '__Host-sid': 'good',
  }),
  reading('and of a value', 'a=\u00a01\u00a0', { a: '\u00a01\u00a0' }),
  reading('rubbish is skipped', 'a; =x; ;b=2', { b: '2' }),
  reading(
    'prototype members are names',
    '__proto__=1; constructor=2',
    JSON.parse('{"__proto__":"1","constructor":"2"}'),
  ),
  {
    name: 'an absent cookie named like a prototype member',
    app: () => new App().get('/', (ctx) => ctx.json(ctx.cookie('constructor') ?? null)),
    request: { path: '/' },
    status: 200,
    body: 'null',
  },
  {
    name: 'set cookies stay one field each',
    app: () =>
      new App().get('/', (ctx) =>
        ctx
          .setCookie(new Cookie('a', '1'))
          .setCookie(new Cookie('b', '2').httpOnly(true).secure(true).sameSite(SameSite.Lax).maxAge(60))
          .text('x'),
      ),
    request: { path: '/' },
    status: 200,
    cookies: ['a=1; Path=/', 'b=2; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax'],
  },
  {
    name: 'a removed cookie expires',
    app: () => new App().get('/', (ctx) => ctx.removeCookie('a').text('x')),
    request: { path: '/' },
    status: 200,
    cookies: ['a=; Max-Age=0; Path=/'],
  },
  {
    name: 'a prefixed cookie is removed as it was set',
    app: () => new App().get('/', (ctx) => ctx.removeCookie('__Host-sid').text('x')),
    request: { path: '/' },
    status: 200,
    cookies: ['__Host-sid=; Max-Age=0; Path=/; Secure'],
  },
  {
    name: 'a cookie that is set again replaces the one before, if it is the same',
    app: () =>
      new App().get('/', (ctx) => {
        for (const value of ['1', '2']) ctx.setCookie(new Cookie('a', value).httpOnly(value === '1'));
        ctx.setCookie(new Cookie('a', '3').path('/x')).setCookie(new Cookie('a', '4').domain('b.example'));
        ctx.setCookie(new Cookie('ab', '5')).setCookie(new Cookie('a', '6').path('/x'));
        return ctx.removeCookie('ab').text('x');
      }),
    request: { path: '/' },
    status: 200,
    cookies: ['a=2; Path=/', 'a=4; Domain=b.example; Path=/', 'a=6; Path=/x', 'ab=; Max-Age=0; Path=/'],
  },
];
