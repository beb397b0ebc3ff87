// The form of the file with pinned requests and saved calls, which may have been written by another version, or by hand.
import type { Kept } from './kept-requests.js';

/** Counts up when an older version cannot read it any more. */
const VERSION = 1;

type Fields = Readonly<Record<string, unknown>>;

export function writeKept(kept: Kept): string {
  return `${JSON.stringify({ version: VERSION, ...kept }, undefined, 1)}\n`;
}

/** Undefined for anything that the page could not show. */
export function readKept(text: string): Kept | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(value) || value.version !== VERSION) return undefined;
  const { pins, saved } = value;
  return isListOf(pins, isPin) && isListOf(saved, isSaved) ? ({ pins, saved } as Kept) : undefined;
}

function isPin(value: Fields): boolean {
  return Number.isSafeInteger(value.id) && isFields(value.detail) && isDetail(value.detail);
}

function isDetail(one: Fields): boolean {
  return (
    ['id', 'began'].every((name) => typeof one[name] === 'number') &&
    ['method', 'target', 'origin'].every((name) => typeof one[name] === 'string') &&
    ['status', 'durationMs', 'size', 'equalReads'].every((name) => isOptional(one[name], 'number')) &&
    ['label', 'requestId', 'route'].every((name) => isOptional(one[name], 'string')) &&
    isPairs(one.requestHeaders) &&
    isPairs(one.responseHeaders) &&
    isBody(one.requestBody) &&
    isBody(one.responseBody) &&
    isListOf(one.steps, isStep) &&
    isListOf(one.log, isLine) &&
    (one.calls === undefined || isListOf(one.calls, isCall)) &&
    (one.error === undefined || isErrorField(one.error)) &&
    (one.advice === undefined || (Array.isArray(one.advice) && one.advice.every(isText))) &&
    (one.callErrors === undefined || isListOf(one.callErrors, isCallError))
  );
}

function isCall(one: Fields): boolean {
  return hasTexts('procedure', 'outcome')(one) && isOptional(one.message, 'string');
}

function isCallError(one: Fields): boolean {
  return isText(one.procedure) && isErrorField(one.error);
}

function isErrorField(value: unknown): boolean {
  return isFields(value) && isError(value);
}

function isStep(one: Fields): boolean {
  const { start, end, depth, fields, parameters } = one;
  return (
    hasTexts('kind', 'name')(one) &&
    typeof start === 'number' &&
    typeof depth === 'number' &&
    isOptional(end, 'number') &&
    (fields === undefined || isTexts(fields)) &&
    (parameters === undefined || (Array.isArray(parameters) && parameters.every(isText))) &&
    isPlace(one.place) &&
    isOptional(one.error, 'string')
  );
}

function isLine(one: Fields): boolean {
  return (
    typeof one.at === 'number' &&
    hasTexts('level', 'message')(one) &&
    isTexts(one.fields) &&
    isPlace(one.place)
  );
}

function isError(one: Fields): boolean {
  const { frames, code, causes } = one;
  const isFrame = (frame: Fields): boolean => isText(frame.text) && isPlace(frame.place);
  return (
    hasTexts('title', 'details')(one) &&
    isListOf(frames, isFrame) &&
    ['folded', 'facts', 'docs'].every((name) => isOptional(one[name], 'string')) &&
    (code === undefined || isCode(code)) &&
    (causes === undefined || isListOf(causes, isError))
  );
}

function isCode(value: unknown): boolean {
  if (!isFields(value) || value.place === undefined) return false;
  const { place, first, lines, length } = value;
  return (
    isPlace(place) &&
    typeof first === 'number' &&
    typeof length === 'number' &&
    Array.isArray(lines) &&
    lines.every(isText)
  );
}

function isSaved(one: Fields): boolean {
  return (
    Number.isSafeInteger(one.id) &&
    hasTexts('name', 'method', 'target')(one) &&
    isPairs(one.headers) &&
    isOptional(one.body, 'string')
  );
}

function isBody(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isFields(value)) return false;
  return typeof value.size === 'number' && isText(value.type) && isOptional(value.text, 'string');
}

function isPlace(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isFields(value)) return false;
  return isText(value.file) && typeof value.line === 'number' && typeof value.column === 'number';
}

function isPairs(value: unknown): boolean {
  const isPair = (one: unknown): boolean => Array.isArray(one) && one.length === 2 && one.every(isText);
  return Array.isArray(value) && value.every(isPair);
}

function isTexts(value: unknown): boolean {
  return isFields(value) && Object.values(value).every(isText);
}

function hasTexts(...names: readonly string[]): (value: Fields) => boolean {
  return (value) => names.every((name) => isText(value[name]));
}

function isListOf(value: unknown, is: (one: Fields) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every((one: unknown) => isFields(one) && is(one));
}

function isOptional(value: unknown, type: 'number' | 'string'): boolean {
  return value === undefined || typeof value === type;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
