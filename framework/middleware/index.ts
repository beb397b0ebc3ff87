// The public names of `fw/middleware`.
export { Cors, type CorsOptions, type CorsOrigin, cors } from './cors.js';
export { logger } from './logger.js';
export { poweredBy } from './powered-by.js';
export { RequestId, type RequestIdOptions, requestId } from './request-id.js';
export { SecurityHeaders, type SecurityHeadersOptions, securityHeaders } from './security-headers.js';
export { serverHeaders } from './server-headers.js';
