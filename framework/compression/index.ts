// The public names of `fw/compression`.
export { Compression, type CompressionOptions, compression } from './compression.js';
export type { Encoding } from './negotiate.js';
