import { describe, expect, it } from 'vitest';
import { plotBars } from './plot.js';

const groups = [
  {
    title: 'json',
    bars: [
      { label: 'node:http', median: 1, low: 1, high: 1 },
      { label: 'fw', median: 2, low: 1.5, high: 4 },
    ],
  },
];

/** Numbers of an attribute, in the order of the picture. */
function attribute(svg: string, element: string, name: string): number[] {
  return [...svg.matchAll(new RegExp(`<${element}[^>]* ${name}="([\\d.]+)"`, 'g'))].map(([, text]) =>
    Number(text),
  );
}

/** The first rectangle is the background. */
function barWidths(svg: string): number[] {
  return attribute(svg.replace(/<rect class="back"[^>]*>/, ''), 'rect', 'width');
}

describe('a bar chart', () => {
  const svg = plotBars('Requests', 'times <node:http> & "more"', 'fw', groups);

  it('has bars as long as their medians, to the same scale', () => {
    const [node = 0, own = 0] = barWidths(svg);
    expect(own / node).toBeCloseTo(2, 1);
    expect(barWidths(svg.slice(svg.indexOf('<g class="own"')))).toEqual([own]);
    expect([...svg.matchAll(/>(\d\.\d\d)</g)].map(([, text]) => text)).toEqual(['1.00', '2.00']);
  });

  it('has whiskers from the lowest to the highest, within the picture', () => {
    const [node = 0] = barWidths(svg);
    const start = Number(/translate\((\d+) /.exec(svg)?.[1]);
    const whiskers = [...svg.matchAll(/d="M([\d.]+) \d+H([\d.]+)m/g)].map(([, low, high]) => [
      Number(low),
      Number(high),
    ]);
    expect(whiskers[1]?.[0]).toBeCloseTo(1.5 * node, 0);
    expect(whiskers[1]?.[1]).toBeCloseTo(4 * node, 0);
    expect(start + (whiskers[1]?.[1] ?? 0)).toBeLessThan(attribute(svg, 'svg', 'width')[0] ?? 0);
  });

  it('is as high as its bars need, and a well-formed text', () => {
    const more = plotBars('Requests', 'times', 'fw', [...groups, ...groups]);
    expect(attribute(more, 'svg', 'height')[0]).toBeGreaterThan(attribute(svg, 'svg', 'height')[0] ?? 0);
    expect(svg).toContain('times &lt;node:http> &amp; &quot;more&quot;');
    expect(svg).not.toContain('NaN');
  });
});
