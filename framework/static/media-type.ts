// Static files: the media type of a file by its name, from a maintained table.
import mime from 'mime';

/** Text is taken for UTF-8, and what has no known extension for bytes. */
export function mediaType(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}
