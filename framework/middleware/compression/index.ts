// The public names of `fw/compression`.

export type {
  CompressionEncoding,
  /** @deprecated Use `CompressionEncoding`. */
  CompressionEncoding as Encoding,
} from '../../http/accept-encoding.js';
export { Compression, type CompressionOptions, compression } from './compression.js';
