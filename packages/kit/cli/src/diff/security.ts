import { isOpen, type Operation } from '@contract-kit/core/model';
import {
  changeOf,
  child,
  differing,
  matchedEntries,
  modification,
  partAt,
  type Change,
  type Pair,
  type Part,
  type SharedOperation,
} from './change.ts';

/** One alternative: all its schemes and scopes are required. The empty one is open to everyone. */
type Requirement = readonly string[];

/** Requiring more locks callers out. Requiring nothing is usually a mistake: also major, with an alarm. */
export function* compareSecurity({ pair, before, after, to }: SharedOperation): Iterable<Change> {
  const oldNames = renamedSchemes(pair);
  const was = requirementsOf(before);
  const is = requirementsOf(after).map((schemes) => schemes.map((name) => oldNames.get(name) ?? name));
  const at = { ...placeOfSecurity(pair, to), owner: to.owner };
  for (const refused of was.filter((requirement) => !isMet(requirement, is))) {
    const what =
      refused.length === 0
        ? `now needs ${inWords(is)}, and needed nothing before`
        : `no longer accepts ${inWords([refused])}: it needs ${inWords(is)}`;
    yield changeOf(at, 'major', what);
  }
  for (const added of is.filter((requirement) => !isMet(requirement, was))) {
    if (added.length === 0)
      yield { ...changeOf(at, 'major', `needs no API key, and needed ${inWords(was)} before`), alarm: true };
    else if (!isOpen(after) && was.every((requirement) => isMet(requirement, is)))
      yield changeOf(at, 'minor', `now accepts ${inWords([added])} as well`);
  }
}

const SCHEMES = ['components', 'securitySchemes'];

/** How a key is sent concerns every caller; everything else describes it. */
export function* compareSchemes(pair: Pair): Iterable<Change> {
  for (const { before, after } of matchedEntries(pair, SCHEMES, 'security scheme ')) {
    if (!after) yield changeOf(before, 'patch', 'is gone');
    else if (!before) yield changeOf(after, 'patch', 'is new');
    else
      for (const name of differing(before.value, after.value)) {
        const impact = ['type', 'scheme', 'in', 'name'].includes(name) ? 'major' : 'patch';
        const [was, is] = [before, after].map((scheme) => child(scheme, [name]).value);
        yield changeOf(after, impact, modification(name, was, is));
      }
  }
}

/** The old names of renamed schemes. Requests do not contain names. */
function renamedSchemes(pair: Pair): ReadonlyMap<string, string> {
  const schemes = matchedEntries(pair, SCHEMES, '');
  return new Map(
    schemes.flatMap(({ name, before, after }) => {
      if (before) return [];
      const old = schemes.find(
        (scheme) =>
          !scheme.after &&
          differing(scheme.before.value, after.value).every((name) => name === 'description'),
      );
      return old ? [[name, old.name]] : [];
    }),
  );
}

function requirementsOf({ security }: Operation): readonly Requirement[] {
  if (security.length === 0) return [[]];
  return security.map((all) => [
    ...all.map(({ scheme }) => scheme),
    ...all.flatMap(({ scopes }) => scopes.map((scope) => `scope ${scope}`)),
  ]);
}

/** Whether a caller with `requirement` satisfies one of `others`. */
function isMet(requirement: Requirement, others: readonly Requirement[]): boolean {
  return others.some((other) => other.every((scheme) => requirement.includes(scheme)));
}

function inWords(alternatives: readonly Requirement[]): string {
  return alternatives.map((schemes) => schemes.join(' with ') || 'nothing').join(' or ');
}

function placeOfSecurity(pair: Pair, operation: Part): Part {
  if (child(operation, ['security']).value !== undefined)
    return { ...operation, pointer: [...operation.pointer, 'security'] };
  const side = pair.revision.document['security'] === undefined ? 'base' : 'revision';
  return partAt(pair, side, ['security'], '');
}
