// Client address: the names that the option `header` of `trustProxy` takes.
import { nearest } from '../options/nearest.js';
import { headerName, type Rule } from '../options/rules.js';

/** A header field in which proxies report the addresses of their clients, one after the other. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

export function isForwardedHeader(lowerName: string): lowerName is ForwardedHeader {
  return lowerName === 'x-forwarded-for' || lowerName === 'forwarded';
}

/** The name of a field. One that is nearly a known one is a mistake, with which every client would be unknown. */
export const addressField: Rule = {
  takes: "the name of a header field, such as 'x-forwarded-for' or 'cf-connecting-ip'",
  fault(value) {
    const fault = headerName.fault(value);
    if (fault !== undefined) return fault;
    const name = String(value).toLowerCase();
    if (isForwardedHeader(name)) return undefined;
    const meant = nearest(name, ['x-forwarded-for', 'forwarded']);
    return meant === undefined ? undefined : { code: 'FW_OPTION_CHOICE', takes: `'${meant}'` };
  },
};
