// The entry `fw/lambda`: answers the events of AWS Lambda with an App.

import type { App } from '../../app/app.js';
import { ConfigError } from '../../config-error.js';
import { checkValue } from '../../options/check.js';
import { objectWith } from '../../options/rules.js';
import { answerEvent, type LambdaPlatform, type StreamingRuntime, streamEvent } from './handle.js';
import type { LambdaResult } from './result.js';

export type { LambdaPlatform, LambdaResult };

/** A function of AWS Lambda for HTTP requests. */
export type LambdaHandler = (event: object, context?: unknown) => Promise<LambdaResult>;

/** A function of AWS Lambda that streams its responses. */
export type StreamingLambdaHandler = (
  event: object,
  to: NodeJS.WritableStream,
  context?: unknown,
) => Promise<void>;

const APP = objectWith(['answer'], 'an App');

/**
 * Makes the function that answers requests with the App, from a function URL, from API Gateway in the formats 1.0 and
 * 2.0, and from a load balancer.
 *
 * ```ts no-run
 * export const handler = handle(app);
 * ```
 *
 * `ctx.clientIp()` is the address that the platform has seen, except behind a load balancer, which reports it to
 * `trustProxy(true)`. `ctx.platform` has `event` and `context`.
 *
 * @throws ConfigError if it is not an App. The function rejects for events that are not requests.
 */
export function handle<Prefix extends string>(app: App<Prefix>): LambdaHandler {
  checkValue('handle', 'the argument', app, APP);
  return (event, context) => answerEvent(app, event, context);
}

/**
 * Like `handle`, for functions whose invocation mode is `RESPONSE_STREAM`: each chunk is sent when it is produced, and
 * responses may be larger than 6 MB.
 *
 * @throws ConfigError if it is not an App, or outside of the Node.js runtime of Lambda.
 */
export function streamHandle<Prefix extends string>(app: App<Prefix>): StreamingLambdaHandler {
  checkValue('streamHandle', 'the argument', app, APP);
  const { awslambda } = globalThis as { awslambda?: StreamingRuntime };
  if (awslambda === undefined) {
    throw new ConfigError(
      'FW_RUNTIME',
      'streamHandle() needs awslambda, which the Node.js runtime of AWS Lambda has; use handle() elsewhere',
    );
  }
  const handler: StreamingLambdaHandler = (event, to, context) =>
    streamEvent(app, awslambda, event, to as Parameters<typeof streamEvent>[3], context);
  return awslambda.streamifyResponse(handler);
}
