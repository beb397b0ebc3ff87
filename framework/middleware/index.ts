// The public names of `fw/middleware`.

export { type ConnectMiddleware, fromConnect } from './connect/from-connect.js';
export { Cors, type CorsOptions, type CorsOrigin, cors } from './cors.js';
export { IpFilter } from './ip-filter.js';
export { logger } from './logger.js';
export { MemoryRateLimitStore } from './rate-limit/memory-rate-limit-store.js';
export { RateLimitKey, type RateLimitKeyFunction } from './rate-limit/rate-limit-key.js';
export {
  type RateLimit,
  type RateLimitState,
  type RateLimitStore,
  rateLimitState,
} from './rate-limit/rate-limit-store.js';
export { RateLimiter, type RateLimiterOptions, rateLimiter } from './rate-limit/rate-limiter.js';
export { RequestId, type RequestIdOptions, requestId } from './request-id.js';
export { SecurityHeaders, type SecurityHeadersOptions, securityHeaders } from './security-headers.js';
export { poweredBy, serverHeaders } from './server-headers.js';
