// What could not be removed after a failure is said.
import { describe, expect, it } from 'vitest';
import { CliError, ExitCode } from '../terminal/errors.js';
import { LeftError, Undo } from './undo.js';

const busy = new Error("EBUSY: resource busy or locked, rmdir 'my-app'");
const fails = (): never => {
  throw busy;
};

describe('Undo', () => {
  it('runs every step, the last one first, and returns the first failure', () => {
    const steps: string[] = [];
    const undo = new Undo();
    undo.add(() => steps.push('first'));
    undo.add(() => {
      throw new Error('a later failure');
    });
    undo.add(fails);
    undo.add(() => steps.push('last'));
    expect(undo.run()).toBe(busy);
    expect(steps).toEqual(['last', 'first']);
    expect(undo.run()).toBeUndefined();
  });

  it('throws why it ended, and what was left behind', () => {
    const why = new Error('the disk is full');
    const stop = (): never => {
      throw why;
    };
    const undo = new Undo();
    expect(() => undo.guard(stop)).toThrow(why);
    undo.add(fails);
    expect(() => undo.guard(stop)).toThrow(new LeftError(why, busy).message);
  });
});

it('LeftError keeps the exit code and the help of what ended the command', () => {
  const cancelled = new CliError('nothing was left behind', { exitCode: ExitCode.cancelled });
  expect(new LeftError(cancelled, busy)).toMatchObject({
    message: `something was left behind: ${busy.message}`,
    help: 'end the program that uses it, and remove it yourself',
    exitCode: 130,
    cause: cancelled,
  });
  const { help } = new LeftError(new CliError('x', { help: 'run: npm install' }), busy);
  expect(help).toBe('end the program that uses it, and remove it yourself; run: npm install');
});
