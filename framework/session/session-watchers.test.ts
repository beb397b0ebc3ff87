// Sessions: who is told when a session ends or moves.
import { expect, it } from 'vitest';
import { SessionWatchers } from './session-watchers.js';

function watching() {
  const watchers = new SessionWatchers();
  const heard: string[] = [];
  const watch = (key: string, userId?: string) =>
    watchers.watch(
      { key, userId },
      { ended: () => void heard.push(`${key} ended`), moved: (to) => void heard.push(`${key} is ${to}`) },
    );
  return { watchers, heard, watch };
}

it('tells all of a session once, and nobody who has stopped', () => {
  const { watchers, heard, watch } = watching();
  watch('a');
  const stop = watch('a');
  watch('b');
  stop();
  watchers.ended('a');
  watchers.ended('a');
  stop();
  expect(heard).toEqual(['a ended']);
});

it('tells all sessions of a user but one', () => {
  const { watchers, heard, watch } = watching();
  watch('a', 'ada');
  watch('b', 'ada');
  watch('c', 'bob');
  watch('d');
  watchers.endedAll('ada', 'b');
  expect(heard).toEqual(['a ended']);
  watchers.endedAll('ada');
  expect(heard).toEqual(['a ended', 'b ended']);
});

it('follows a session to its new key, until it is stopped there', () => {
  const { watchers, heard, watch } = watching();
  watch('a', 'ada');
  const stop = watch('a', 'ada');
  watchers.moved('a', 'b', undefined);
  stop();
  watchers.ended('a');
  watchers.ended('b');
  expect(heard).toEqual(['a is b', 'a is b', 'a ended']);
});

it('takes a session of a visitor who signs in for one of that user from then on', () => {
  const { watchers, heard, watch } = watching();
  watch('a');
  watchers.moved('a', 'b', 'ada');
  watchers.moved('b', 'c', 'ada');
  watchers.endedAll('bob');
  watchers.endedAll('ada');
  expect(heard).toEqual(['a is b', 'a is c', 'a ended']);
});

it('takes a session in which another user signs in for one that has ended', () => {
  const { watchers, heard, watch } = watching();
  watch('a', 'ada');
  watch('v');
  watchers.moved('a', 'b', 'bob');
  watchers.moved('v', 'w', 'ada');
  watchers.moved('w', 'x', 'bob');
  watchers.ended('b');
  watchers.ended('x');
  expect(heard).toEqual(['a ended', 'v is w', 'v ended']);
});
