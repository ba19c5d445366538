import { isDeepStrictEqual } from 'node:util';
import type { Contract, Json } from '../../contract.ts';
import { operationsOf, type Operation } from '../../operations.ts';
import {
  entriesOf,
  isPastSunset,
  matchedIn,
  operationsOnlyIn,
  placeOf,
  type Comparison,
  type Impact,
  type Pair,
} from '../change.ts';

/** Who uses the client writes the names of schemas into its own code: they stay, as long as anything needs them. */
export const compareSchemaNames: Comparison = function* (pair) {
  const used = operationsOf(pair.base).flatMap((operation) => [...schemasOf(pair.base, operation)]);
  const schemas = ({ document }: Contract) => entriesOf(document.components?.schemas);
  for (const { name: subject, before, after } of matchedIn(pair, schemas)) {
    const place = placeOf(pair, after ? 'revision' : 'base', ['components', 'schemas', subject]);
    if (!before) {
      yield { impact: 'patch', subject, what: 'is a new name of the client', place };
    } else if (!after) {
      const impact = impactOfLoss(pair, (operation) => schemasOf(pair.base, operation).has(subject));
      const what =
        impact === 'major' ? 'is gone, and is a name of the client' : 'is gone, with all that used it';
      yield { impact, subject, what, place };
    } else if (!used.includes(subject) && !isDeepStrictEqual(before, after)) {
      yield { impact: 'patch', subject, what: 'changes, and is in no request or reply', place };
    }
  }
};

/** What only operations had that were announced to go, may go with them. */
export function impactOfLoss(pair: Pair, isUsedBy: (operation: Operation) => boolean): Impact {
  const users = operationsOf(pair.base).filter(isUsedBy);
  const gone = operationsOnlyIn('base', pair).map(({ id }) => id);
  const isFree = (operation: Operation) => gone.includes(operation.id) && isPastSunset(operation, pair.today);
  return users.length > 0 && users.every(isFree) ? 'minor' : 'major';
}

/** The names of the schemas that an operation refers to, and of those that they refer to. */
function schemasOf(contract: Contract, { definition, parameters }: Operation): Set<string> {
  const found = new Set<string>();
  const follow = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const child of Object.values<Json>(value)) follow(child);
    if (typeof value.$ref !== 'string' || found.has(value.$ref)) return;
    found.add(value.$ref);
    follow(contract.resolve(value));
  };
  follow([definition, parameters.map(({ pointer }) => contract.at(pointer))]);
  const prefix = '#/components/schemas/';
  return new Set(
    [...found].filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length)),
  );
}
