import { IMPACTS, type Change, type Impact, type Place } from './change.ts';
import type { Verdict } from './gate.ts';

const IN_WORDS: Record<Impact, string> = {
  major: 'Major: breaks clients that work today',
  minor: 'Minor: new, and clients that work today keep working',
  patch: 'Patch: nothing for clients to do',
};

const CHANGED =
  'These changes need another version. Which part must rise is known only of versions such as 1.2.3.';

/** The verdict for people, with `base` as the name of what it was compared with. */
export function report({ versions, impact, needed, changes, problems }: Verdict, base: string): string {
  const at = ({ side, line, column, file = side === 'base' ? base : 'openapi.yaml' }: Place) =>
    `${file}:${line}:${column}`;
  const lines = [`openapi.yaml ${versions.revision}, compared with ${base} (${versions.base})`, ''];
  for (const group of IMPACTS) {
    const members = changes.filter((change) => change.impact === group);
    if (members.length === 0) continue;
    lines.push(IN_WORDS[group], ...members.map((change) => `  ${line(change)}  [${at(change.place)}]`), '');
  }
  for (const alarm of changes.filter((change) => change.alarm)) lines.push(`ATTENTION: ${line(alarm)}!`, '');
  if (impact) lines.push(needed ? `These changes need version ${needed} or higher.` : CHANGED);
  else lines.push(changes.length > 0 ? 'The HTTP API has not changed.' : 'Nothing has changed.');
  for (const { message, place } of problems) lines.push(`FAILED: ${message}  [${at(place)}]`);
  return lines.join('\n');
}

function line({ subject, what }: Change): string {
  return `${subject}: ${what}`;
}
