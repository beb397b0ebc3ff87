import { expect, it } from 'vitest';
import { headerText, readHeaderText } from './edit-dialog.js';

it('reads what it writes', () => {
  const fields = [
    ['Accept', '*/*'],
    ['X-A', ''],
    ['Set-Cookie', 'a=b: c'],
  ] as const;
  expect(readHeaderText(headerText(fields))).toEqual({ fields });
  expect(readHeaderText('\n A: 1')).toEqual({ problem: "line 2: ' A' is not the name of a header field" });
  expect(readHeaderText('A:\t 1 \t\r\n  \n')).toEqual({ fields: [['A', '1']] });
  expect(readHeaderText('A')).toEqual({ problem: "line 1 has no colon: write 'Name: value'" });
});
