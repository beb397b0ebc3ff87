// Errors that an App of `fw` answers with its standard body: a browser that opens the address gets a page that loads what
// happened, and the developer's other clients get the stack beside the standard fields. Only while `fw dev` runs.
import { randomBytes } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { StandardErrorResponse } from '../../../framework/dispatch/standard-response.js';
import { describeError } from '../../process/app-error.js';
import { foldedFrames, MOST_FRAMES, shorten } from '../../process/app-error-lines.js';
import { errorPage, FAILURE_POLICY, wantsPage } from './failure-page.js';
import { isOwn } from './own-requests.js';
import type { Recorder } from './recording/recorder.js';

/** Whether a browser shows the response as a page, and no script or program reads it. */
export function isNavigation({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (!wantsPage(headers.accept)) return false;
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers;
  return mode === 'navigate' && (destination === 'document' || destination === 'iframe');
}

/** @param isStackShown false if requests from this machine may come from others, too */
export function answerErrors(recorder: Recorder, root: string, isStackShown: boolean): void {
  diagnostics.subscribe('fw:error-response', (message) => {
    const offer = message as StandardErrorResponse;
    if (isNavigation(offer)) offerPage(offer, recorder);
    else if (isStackShown && offer.status >= 500 && isOfDeveloper(offer)) addStack(offer, root);
  });
}

/** Without a record of the request, there is nothing that the page could show. */
function offerPage({ body, status, method, replace }: StandardErrorResponse, recorder: Recorder): void {
  const id = randomBytes(16).toString('hex');
  if (!recorder.keepForPage(id)) return;
  replace(errorPage({ id, status, body, isRepeatable: method === 'GET' }), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': FAILURE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    Vary: 'Accept',
  });
}

function isOfDeveloper({ peer, headers }: StandardErrorResponse): boolean {
  return isOwn({ peer, hosts: [headers.host ?? 'localhost'], fields: Object.keys(headers) });
}

function addStack({ error, body, replace }: StandardErrorResponse, root: string): void {
  const shown = describeError(error);
  const frames = shown.frames.slice(0, MOST_FRAMES).map((frame) => shorten(frame, root));
  const folded = foldedFrames(shown);
  const stack = [shown.title, ...frames, ...(folded === '' ? [] : [folded])];
  replace(JSON.stringify({ ...(JSON.parse(body) as object), stack }), {});
}
