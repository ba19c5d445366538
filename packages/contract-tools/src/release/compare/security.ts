import type { Contract, Json } from '../../contract.ts';
import type { Operation } from '../../operations.ts';
import {
  nameOf,
  operationsOnlyIn,
  placeOf,
  sharedOperations,
  type Change,
  type Comparison,
  type Pair,
  type Place,
} from '../change.ts';
import { differing, modification } from './words.ts';

/** One way to be let in: every scheme named, with every scope. `{}` lets in everybody. */
type Requirement = Readonly<Record<string, readonly string[]>>;

/**
 * Who is let in. To ask for more locks clients out: major. To ask for nothing where a key was needed breaks no
 * request, but the promise that only key holders read and cancel, and is most often a slip: major as well, and loud.
 */
export const compareSecurity: Comparison = function* (pair) {
  for (const { before, after } of sharedOperations(pair)) {
    const from = requirementsOf(pair.base, before);
    const to = requirementsOf(pair.revision, after, renamedSchemes(pair));
    const subject = nameOf(after);
    const place = placeOfSecurity(pair, after);
    for (const refused of from.filter((each) => !satisfies(each, to))) {
      const what = isOpen(refused)
        ? `now needs ${to.map(inWords).join(' or ')}, and needed nothing before`
        : `no longer accepts ${inWords(refused)}: it needs ${to.map(inWords).join(' or ')}`;
      yield { impact: 'major', subject, what, place };
    }
    for (const added of to.filter((each) => !satisfies(each, from))) {
      if (isOpen(added)) {
        const what = `is open to everybody, and needed ${from.map(inWords).join(' or ')} before`;
        yield { impact: 'major', subject, what, place, alarm: true };
      } else if (!to.some(isOpen) && from.every((each) => satisfies(each, to))) {
        yield { impact: 'minor', subject, what: `now accepts ${inWords(added)} as well`, place };
      }
    }
  }
  yield* newAndOpen(pair);
  yield* compareSchemes(pair);
};

/** How a key is sent is asked of every caller; the rest is said of it. */
function* compareSchemes(pair: Pair): Iterable<Change> {
  const [before, after] = [schemesOf(pair.base), schemesOf(pair.revision)];
  for (const scheme of differing(before, after)) {
    const pointer = ['components', 'securitySchemes', scheme];
    const subject = `security scheme ${scheme}`;
    const place = placeOf(pair, scheme in after ? 'revision' : 'base', pointer);
    if (!(scheme in before && scheme in after)) {
      yield { impact: 'patch', subject, what: scheme in after ? 'is new' : 'is gone', place };
      continue;
    }
    for (const name of differing(before[scheme], after[scheme])) {
      const impact = ['type', 'scheme', 'in', 'name'].includes(name) ? 'major' : 'patch';
      yield { impact, subject, what: modification(name, before[scheme][name], after[scheme][name]), place };
    }
  }
}

const schemesOf = ({ document }: Contract): Record<string, Json> =>
  document.components?.securitySchemes ?? {};

/** The old names of schemes that have others now. Nobody sends a name. */
function renamedSchemes(pair: Pair): Readonly<Record<string, string>> {
  const [before, after] = [schemesOf(pair.base), schemesOf(pair.revision)];
  const gone = Object.keys(before).filter((name) => !(name in after));
  const old = (name: string) =>
    gone.find((each) => !differing(before[each], after[name]).some((key) => key !== 'description'));
  return Object.fromEntries(
    Object.keys(after).map((name) => [name, (!(name in before) && old(name)) || name]),
  );
}

/** Breaks nothing, but who adds an operation that needs no key should have meant it. */
function* newAndOpen(pair: Pair): Iterable<Change> {
  for (const operation of operationsOnlyIn('revision', pair)) {
    if (!requirementsOf(pair.revision, operation).some(isOpen)) continue;
    const place = placeOfSecurity(pair, operation);
    yield { impact: 'minor', subject: nameOf(operation), what: 'is open to everybody', place, alarm: true };
  }
}

function requirementsOf(
  { document }: Contract,
  { definition }: Operation,
  names: Readonly<Record<string, string>> = {},
): readonly Requirement[] {
  const requirements: Json[] = definition.security ?? document.security ?? [];
  const renamed = requirements.map((each) =>
    Object.fromEntries(Object.entries<Json>(each).map(([name, scopes]) => [names[name] ?? name, scopes])),
  );
  return renamed.length === 0 ? [{}] : renamed;
}

/** Whether who meets `requirement` is let in by one of `others`. */
function satisfies(requirement: Requirement, others: readonly Requirement[]): boolean {
  return others.some((other) =>
    Object.entries(other).every(
      ([scheme, scopes]) =>
        scopes.every((scope) => requirement[scheme]?.includes(scope)) && scheme in requirement,
    ),
  );
}

function isOpen(requirement: Requirement): boolean {
  return Object.keys(requirement).length === 0;
}

function inWords(requirement: Requirement): string {
  const schemes = Object.entries(requirement).map(([scheme, scopes]) => {
    return scopes.length === 0 ? scheme : `${scheme} (${scopes.join(', ')})`;
  });
  return schemes.join(' with ') || 'nothing';
}

function placeOfSecurity(pair: Pair, { pointer, definition }: Operation): Place {
  if (definition.security !== undefined) return placeOf(pair, 'revision', [...pointer, 'security']);
  return placeOf(pair, pair.revision.document.security === undefined ? 'base' : 'revision', ['security']);
}
