// The `.env` of the new app: its `.env.example`, in which every `NAME=<secret>` gets a fresh secret.
import { randomBytes } from 'node:crypto';
import type { TemplateFile } from './templates.js';

/** The file, for this machine only; undefined if the template has no `.env.example`. */
export function makeEnvFile(files: readonly TemplateFile[]): TemplateFile | undefined {
  const example = files.find(({ path }) => path === '.env.example');
  if (example === undefined) return undefined;
  const text = Buffer.from(example.content).toString('utf8');
  const content = Buffer.from(text.replace(/(?<=^\w+=)<secret>$/gm, newSecret));
  return { path: '.env', content, executable: false, isSecret: true };
}

/** 32 bytes, as long as the key of HMAC SHA-256 should be (RFC 2104, section 3). */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
