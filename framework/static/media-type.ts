// Static files: the media type of a file by its extension, from a maintained table.
import mime from 'mime';

/** Text is assumed to be UTF-8; a file without a known extension is `application/octet-stream`. */
export function mediaType(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}
