// What the build does to the text of the framework's chunks.
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { breakLines, checkClassNames } from './bundle-framework.js';

/** The syntax of a program, without the places of its parts. */
function syntaxOf(code: string): unknown {
  const { program, errors } = parseSync('chunk.js', code);
  expect(errors).toEqual([]);
  return JSON.parse(
    JSON.stringify(program, (key, value) =>
      ['start', 'end', 'range', 'loc'].includes(key) ? undefined : value,
    ),
  );
}

describe('breakLines', () => {
  it.each([
    ['statements', 'let a=1;const b=2;if(a)throw b;else for(;;){a();break}'],
    [
      'members',
      "class A{#a=1;static{A.b=1}get c(){return 1}static async*d(){yield 1}'e'=2;async;get;static=1}",
    ],
    [
      'properties and arguments',
      'f(a,async(b)=>{return b},{c,get d(){return 1},async e(){},...f},[1,,2],...g)',
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
    ['text that looks like code', 'const a=`;{${f(`}${b};`)};`,c=/[;{]/g,d="//;",e=\';\';f(a)'],
    ['cases and labels', 'a:for(;;){switch(b){case 1:f();continue a;default:{return_()}}}'],
    ['results', 'function f(){return g(1,2)}function*h(){yield{a:1};throw new Error(`a;`,{cause:1})}'],
    ['modules', 'import{a as b,c}from"./d.js";export{b,c as default};export const e=await import("./f.js")'],
  ])('keeps the meaning of %s', (_, part) => {
    const isModule = part.startsWith('import');
    // Once to be broken at each place that it has.
    for (let pad = 0; pad < 330; pad += 1) {
      const code = `x(\`${' '.repeat(pad)}\`);${part};y`;
      const broken = breakLines(code);
      expect(syntaxOf(broken)).toEqual(syntaxOf(code));
    }
    const many = isModule ? part : `{${part}}`.repeat(60);
    const broken = breakLines(many);
    expect(syntaxOf(broken)).toEqual(syntaxOf(many));
    for (const line of broken.split('\n')) expect(line.length).toBeLessThan(400);
  });

  it('leaves a line alone that has no place to be broken', () => {
    const code = `x=${'a+'.repeat(300)}b;`;
    expect(breakLines(code)).toBe(code);
  });
});

describe('checkClassNames', () => {
  it.each(['class Reader$1 extends Base{}', 'var Reader$1=class{}', 'var Reader$1 = class extends Base{}'])(
    'refuses a class that was renamed: %s',
    (code) => {
      const check = () => checkClassNames({ fileName: 'chunks/a.js', code });
      expect(check).toThrow(
        'chunks/a.js has two classes with the name Reader; give one of them another name',
      );
    },
  );

  it('takes other names', () => {
    checkClassNames({
      fileName: 'chunks/a.js',
      code: 'class Reader{}var Writer=class{};function read$1(){}',
    });
  });
});
