import { busyNote, type PartResult } from './result.ts';
import { formatRatio } from './statistics.ts';

const WIDTH = 760;
const LABELS = 230;
const VALUES = 50;
const BAR = 16;
const GAP = 3;
const GROUP_HEAD = 26;
const GROUP_GAP = 14;
const TOP = 60;

/** The ratios of each part that has them, as horizontal bars: text and colours for light and dark pages. */
export function chartOf(results: readonly PartResult[], busiest = 0): string {
  const note =
    busyNote(busiest)[0] ??
    'One core each. Bars are medians; the lines reach from the lowest to the highest round.';
  const groups = results.filter(({ bars }) => bars !== undefined && bars.length > 0);
  const medians = groups.flatMap(({ bars = [] }) => bars.map(({ ratio }) => ratio.median));
  const highest = Math.min(1, Math.max(0.5, ...medians) * 1.15);
  const scale = (WIDTH - LABELS - VALUES) / highest;
  // A bar that would be longer ends at the edge; its figure is beside it.
  const lengthOf = (ratio: number) => round(Math.min(ratio, highest) * scale);
  const parts: string[] = [];
  let y = TOP;
  for (const { title, bars = [] } of groups) {
    parts.push(text(0, y + 14, title, 'group'));
    y += GROUP_HEAD;
    for (const { name, ratio } of bars) {
      const middle = y + BAR / 2;
      parts.push(
        text(LABELS - 10, y + 12, name, 'name'),
        `<rect class="${name.startsWith('petstore') ? 'ours' : 'peer'}" x="${LABELS}" y="${y}" width="${lengthOf(ratio.median)}" height="${BAR}" rx="2"/>`,
        `<line class="spread" x1="${LABELS + lengthOf(ratio.min)}" x2="${LABELS + lengthOf(ratio.max)}" y1="${middle}" y2="${middle}"/>`,
        text(LABELS + lengthOf(ratio.max) + 6, y + 12, formatRatio(ratio.median), 'value'),
      );
      y += BAR + GAP;
    }
    y += GROUP_GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-labelledby="title">
<title id="title">Requests per second, as a part of what node:http reaches with the same bytes</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.head { font-weight: 600; font-size: 15px }
.note, .name { fill: #59636e }
.name { text-anchor: end }
.group { font-weight: 600 }
.ours { fill: #0969da }
.peer { fill: #afb8c1 }
.spread { stroke: #1f2328; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .note, .name { fill: #9198a1 }
  .ours { fill: #4493f8 }
  .peer { fill: #59636e }
  .spread { stroke: #f0f6fc }
}
</style>
${text(0, 16, 'Requests per second, as a part of what node:http reaches with the same bytes', 'head')}
${text(0, 36, note, 'note')}
${parts.join('\n')}
</svg>
`;
}

function text(x: number, y: number, content: string, kind: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text class="${kind}" x="${x}" y="${y}">${escaped}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
