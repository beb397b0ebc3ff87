// Which requests are those of the developer.
import { describe, expect, it } from 'vitest';
import { isOwn } from './own-requests.js';

const own = { peer: '127.0.0.1', hosts: ['localhost:3000'], fields: ['Host', 'Accept', 'Sec-Fetch-Site'] };

describe('isOwn', () => {
  it.each(['localhost', 'LOCALHOST:80', 'shop.localhost:3000', '127.0.0.1:3000', '127.9.9.9', '[::1]:3000'])(
    'takes %s for this machine',
    (host) => expect(isOwn({ ...own, hosts: [host] })).toBe(true),
  );

  it.each([
    'demo.example',
    '127.evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '192.168.1.5:3000',
    '0.0.0.0',
    '[::]',
    '[::1',
    'localhost:3000@evil.example',
    '',
  ])('does not take %j for it', (host) => {
    expect(isOwn({ ...own, hosts: [host] })).toBe(false);
    expect(isOwn({ ...own, hosts: ['localhost', host] })).toBe(false);
  });

  it('needs a name', () => expect(isOwn({ ...own, hosts: [] })).toBe(false));

  it.each(['192.168.1.5', '::ffff:10.0.0.1', '172.17.0.1', '', undefined])(
    'does not take the peer %s for this machine',
    (peer) => expect(isOwn({ ...own, peer })).toBe(false),
  );

  it.each(['::1', '::ffff:127.0.0.1', '127.0.0.53'])('takes the peer %s for it', (peer) =>
    expect(isOwn({ ...own, peer })).toBe(true),
  );

  it.each(
    'X-Forwarded-For,x-forwarded-host,X-FORWARDED-PROTO,Forwarded,Via,X-Real-IP,CF-Connecting-IP,CF-Ray,True-Client-IP,X-Client-IP,Fastly-Client-IP,Tailscale-User-Login,ngrok-trace-id,X-Original-Host,X-Envoy-External-Address,X-Appengine-User-IP,Fly-Client-IP,CDN-Loop,X-Amzn-Trace-Id,X-Azure-ClientIP'.split(
      ',',
    ),
  )('does not take what came through a proxy, which adds %s', (name) =>
    expect(isOwn({ ...own, fields: [...own.fields, name] })).toBe(false),
  );

  it('takes all fields of browsers', () => {
    const fields =
      'host,connection,cache-control,sec-ch-ua,sec-ch-ua-mobile,sec-ch-ua-platform,upgrade-insecure-requests,user-agent,accept,sec-fetch-site,sec-fetch-mode,sec-fetch-user,sec-fetch-dest,accept-encoding,accept-language,cookie,origin,referer,priority,dnt,sec-gpc,te,if-none-match,last-event-id,x-requested-with,sec-purpose,save-data,device-memory,traceparent,x-request-id';
    expect(isOwn({ ...own, fields: fields.split(',') })).toBe(true);
  });
});
