// The public names of `fw/compression`.

export type { CompressionEncoding } from '../../http/accept-encoding.js';
export { Compression, type CompressionOptions, compression } from './compression.js';
