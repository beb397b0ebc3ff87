import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { attachment } from './attachment.js';

describe('attachment', () => {
  it.each([
    ['report.pdf', 'attachment; filename="report.pdf"'],
    ['two words (1).txt', 'attachment; filename="two words (1).txt"'],
    ['r\u00e9sum\u00e9.pdf', `attachment; filename="r_sum_.pdf"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`],
    ['\u{1f600}.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
    ['a"b.txt', `attachment; filename="a_b.txt"; filename*=UTF-8''a%22b.txt`],
    ['50%.txt', `attachment; filename="50_.txt"; filename*=UTF-8''50%25.txt`],
    ["it's (*).txt", 'attachment; filename="it\'s (*).txt"'],
    ["\u00e9's (*).txt", `attachment; filename="_'s (*).txt"; filename*=UTF-8''%C3%A9%27s%20%28%2A%29.txt`],
    [
      'a\r\nSet-Cookie: x',
      `attachment; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`,
    ],
    ['../../etc/passwd', 'attachment; filename="passwd"'],
    ['C:\\temp\\a.txt', 'attachment; filename="a.txt"'],
    ['\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
    ['', 'attachment'],
    ['folder/', 'attachment'],
  ])('of %j is %s', (name, field) => expect(attachment(name)).toBe(field));

  it('is a header value for every character', async () => {
    const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('');
    const app = new App().get('/', (ctx) => ctx.header('Content-Disposition', attachment(all)).text('x'));
    const response = await app.oneshot(new Request('http://x/'));
    const [, extended = ''] = (response.headers.get('content-disposition') ?? '').split("UTF-8''");
    expect(response.status).toBe(200);
    expect(decodeURIComponent(extended)).toBe(all.slice(all.lastIndexOf('\\') + 1));
  });
});
