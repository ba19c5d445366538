import type { Contract, Problem } from '../contract.ts';
import type { Refusal } from './row.ts';
import { chapters } from './features.ts';
import { otherVersions } from './features/document.ts';
import { mistakes } from './mistakes.ts';
import { walk, type Place } from './walk.ts';

/** Every refusal, by the kind of object that it looks at. */
const rows = new Map<string, Refusal[]>();
for (const row of [...Object.values(chapters).flat(), ...mistakes]) {
  rows.set(row.on, [...(rows.get(row.on) ?? []), row]);
}

/** What is said of a use of what is refused, or of a mistake. */
export function messageOf({ verdict, name, advice }: Refusal): string {
  return verdict === 'mistake' ? name : `not supported: ${name}; ${advice}`;
}

export interface Support {
  readonly problems: readonly Problem[];
  /** Whether everything has the shape that OpenAPI gives it, and every reference leads to what it should. */
  readonly isSound: boolean;
}

/** Finds what is refused, misspelt or of another shape, so that nothing is accepted and then ignored. */
export function checkSupport(contract: Contract): Support {
  const { document } = contract;
  const root: Place = { kind: 'Document', value: document, pointer: [], parent: undefined };
  const version = [...otherVersions.find(document, root, contract)];
  if (version.length > 0) {
    const message = messageOf(otherVersions);
    return { problems: version.map((at) => contract.problemWrittenAt(at, message)), isSound: false };
  }

  const { places, references, misfits } = walk(document);
  const problems = misfits.map(({ pointer, message }) => contract.problemWrittenAt(pointer, message));
  const find = (place: Place, on: string) =>
    (rows.get(on) ?? []).flatMap((row) => {
      const message = on === 'Reference' ? `${messageOf(row)} (${place.value.$ref})` : messageOf(row);
      return [...row.find(place.value, place, contract)].map((found) =>
        contract.problemWrittenAt([...place.pointer, ...found], message),
      );
    });
  if (misfits.some(({ stops }) => stops === 'all')) return { problems, isSound: false };
  const astray = references.flatMap((place) => find(place, 'Reference'));
  if (astray.length > 0) return { problems: [...problems, ...astray], isSound: false };
  problems.push(...places.flatMap((place) => find(place, place.kind)));
  return { problems, isSound: misfits.every(({ stops }) => stops === 'nothing') };
}
