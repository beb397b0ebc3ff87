// OIDC: what the browser is answered when a sign-in with a provider fails.
import { FwError } from '../../http/errors.js';

/** 503 while the provider is away. */
export function unavailable(cause: unknown): FwError {
  return FwError.serviceUnavailable('the identity provider cannot be reached now; try again later', {
    cause,
    headers: { 'Retry-After': '5' },
  });
}

/**
 * What the callback is answered instead. The browser gets the code of an error of the provider at most, and only if
 * it is a plain one (RFC 6749, section 4.1.2.1): anybody can write an address with an error in it.
 */
export function refusal(error: unknown): Error {
  const causes = chain(error);
  if (causes.some(isAway)) return unavailable(error);
  const { code, error: said } = error as { code?: unknown; error?: unknown };
  const plain = typeof said === 'string' && /^[a-z_]{1,64}$/.test(said) ? said : undefined;
  if (isRefusedClient(code, plain)) {
    return new Error(
      'the identity provider does not accept this client; check clientId, clientSecret and how the provider has registered them',
      { cause: error },
    );
  }
  const shown = plain === undefined ? '' : `: ${plain}`;
  return FwError.unauthorized(`the identity provider did not sign you in${shown}`, { cause: error });
}

/**
 * The provider refused this server, and not the browser (RFC 6749, section 5.2). In the query of the callback, the
 * same codes are but words of the browser.
 */
function isRefusedClient(code: unknown, said: string | undefined): boolean {
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return true;
  return (
    code === 'OAUTH_RESPONSE_BODY_ERROR' && (said === 'invalid_client' || said === 'unauthorized_client')
  );
}

/** No answer, one that broke off, or one that says that it is not able to. */
function isAway(error: unknown): boolean {
  const { name, code, status } = error as { name?: unknown; code?: unknown; status?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT') return true;
  // Of an error with a body, or of a response that is the cause.
  if (typeof status === 'number') return status >= 500 || status === 429;
  // That of fetch has no code; those of the package have.
  return error instanceof TypeError && code === undefined;
}

/** The error and its causes, the outermost first. */
function chain(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at instanceof Object && all.length < 8; at = (at as { cause?: unknown }).cause)
    all.push(at);
  return all;
}
