// Runs in workerd: answers with the App of the case that a header field of the request names.
import type { App } from '../../framework/app/app.js';
import './without-generated-code.js';
import { areas } from '../../framework/conformance/areas.js';

const FIELD = 'fw-conformance-case';
const apps = new Map<string, App>();

export default {
  fetch(request: Request): Response | Promise<Response> {
    const chosen = request.headers.get(FIELD) as string;
    const headers = new Headers(request.headers);
    headers.delete(FIELD);
    return appOf(chosen).fetch(new Request(request, { headers }));
  },
};

/** Made when it is asked for: workerd allows no timers and no random values before the first request. */
function appOf(chosen: string): App {
  const known = apps.get(chosen);
  if (known !== undefined) return known;
  const [area, index] = JSON.parse(chosen) as [string, number];
  const app = areas[area]?.[index]?.app();
  if (app === undefined) throw new Error(`there is no case ${chosen}`);
  apps.set(chosen, app);
  return app;
}
