// Response statuses: which are final, and which have no body.

/** Whether the status is final, which means from 200 to 599. */
export function isFinalStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 200 && code <= 599;
}

/** Statuses whose responses have no body: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
