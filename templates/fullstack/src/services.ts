// What procedures need beside the database: the app gives it to each of its requests.
import type { Context, Middleware } from 'fw';
import type { SessionStore } from 'fw/session';
import type { SendMail } from './mail.ts';

export interface Services {
  sessions: SessionStore;
  sendMail: SendMail;
  /** Where people find the app. Links are made of it, and never of the `Host` of a request, which anybody can choose. */
  publicUrl: URL;
}

const ofRequests = new WeakMap<Context, Services>();

export function withServices(services: Services): Middleware {
  return function withServices(ctx, next) {
    ofRequests.set(ctx, services);
    return next();
  };
}

export function servicesOf(ctx: Context): Services {
  const services = ofRequests.get(ctx);
  if (services === undefined) throw new Error('servicesOf() needs app.use(withServices(…)) before');
  return services;
}
