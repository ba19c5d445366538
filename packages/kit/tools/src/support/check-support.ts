import type { Contract, Problem } from '../contract.ts';
import { walk, type Place } from '../read/walk.ts';
import { chapters } from './features.ts';
import { mistakes } from './mistakes.ts';
import type { Refusal } from './row.ts';

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
  /** What does no harm, such as a field that OpenAPI does not have. */
  readonly remarks: readonly Problem[];
}

/** Finds what would be served in another way than the contract says. */
export function checkSupport(contract: Contract): Support {
  const { places, misfits } = walk(contract.document);
  const say = (is: string) =>
    misfits
      .filter((each) => each.is === is)
      .map(({ pointer, message }) => contract.problemWrittenAt(pointer, message));
  const find = (place: Place) =>
    (rows.get(place.kind) ?? []).flatMap((row) =>
      [...row.find(place.value, place, contract)].map((found) =>
        contract.problemWrittenAt([...place.pointer, ...found], messageOf(row)),
      ),
    );
  return { problems: [...say('missing'), ...places.flatMap(find)], remarks: say('stray') };
}
