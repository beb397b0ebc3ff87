// Cases: paths that must not lead to a file.
import type { Case } from '../case.js';
import { missing } from './static-site.js';

const RESOLVED = 'the URL parser resolves dot segments and backslashes before the App sees them';

export const staticEscapes: Case[] = [
  missing('a missing file', '/assets/nope.txt'),
  missing('a directory', '/assets/css'),
  missing('a directory with a slash', '/assets/css/'),
  missing('an empty directory', '/assets/empty'),
  missing('the prefix with a slash, in spite of an index.html', '/assets/'),
  missing('the prefix itself', '/assets'),
  missing('a prefix without a segment boundary', '/assetsx'),
  missing('a file with a slash behind it', '/assets/a.txt/'),
  missing('a path through a file', '/assets/a.txt/b'),
  missing('an empty segment', '/assets//a.txt'),
  missing('an absolute path', '/assets//etc/passwd'),
  missing('an encoded slash', '/assets/css%2Fsite.css'),
  missing('an encoded slash with dots', '/assets/..%2fsecret.txt'),
  missing('an encoded slash and dots, both encoded', '/assets/%2e%2e%2fsecret.txt'),
  missing('double encoding', '/assets/%252e%252e%252fsecret.txt'),
  missing('double encoding of a slash', '/assets/css%252Fsite.css'),
  missing('an encoded backslash', '/assets/..%5csecret.txt'),
  missing('a backslash', '/assets/..\\secret.txt', RESOLVED),
  missing('a NUL', '/assets/a.txt%00'),
  missing('a NUL before another extension', '/assets/secret.txt%00.css'),
  missing('a dotfile', '/assets/.env'),
  missing('an encoded dotfile', '/assets/%2eenv'),
  missing('a directory that starts with a dot', '/assets/.git/config'),
  missing('three dots', '/assets/.../a.txt'),
  missing('a link out of the directory', '/assets/escape.txt'),
  missing('a linked directory outside', '/assets/up/secret.txt'),
  missing('a link to itself', '/assets/loop.txt'),
  missing('a link to nothing', '/assets/dangling.txt'),
  missing('a name that is too long', `/assets/${'n'.repeat(300)}`),
  missing('a path that is too long', `/assets/${'n/'.repeat(3_000)}x`),
  missing('another case of the prefix', '/ASSETS/a.txt'),
  {
    ...missing('dot segments', '/assets/../secret.txt', RESOLVED),
    status: 400,
    headers: {},
  },
  {
    ...missing('encoded dot segments', '/assets/%2e%2e/secret.txt', RESOLVED),
    status: 400,
    headers: {},
  },
  { ...missing('overlong UTF-8', '/assets/..%c0%afsecret.txt'), status: 400, headers: {} },
];
