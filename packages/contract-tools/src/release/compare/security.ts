import type { Contract, Json } from '../../contract.ts';
import { isOpen, nameOf, type Operation } from '../../operations.ts';
import {
  entriesOf,
  matchedIn,
  operationsOnlyIn,
  placeOf,
  sharedOperations,
  type Change,
  type Comparison,
  type Pair,
  type Place,
} from '../change.ts';
import { differing, modification } from './words.ts';

/** One way to be let in: every scheme that is named. The empty one lets in everybody. */
type Requirement = readonly string[];

/**
 * Who is let in. To ask for more locks clients out: major. To ask for nothing where a key was needed breaks no
 * request, but the promise that only key holders read and cancel, and is most often a slip: major as well, and loud.
 * Scopes are not compared: `generate` refuses them.
 */
export const compareSecurity: Comparison = function* (pair) {
  const oldNames = renamedSchemes(pair);
  for (const { before, after } of sharedOperations(pair)) {
    const from = requirementsOf(before);
    const to = requirementsOf(after).map((each) => each.map((scheme) => oldNames[scheme] ?? scheme));
    const subject = nameOf(after);
    const place = placeOfSecurity(pair, after);
    for (const refused of from.filter((each) => !satisfies(each, to))) {
      const what =
        refused.length === 0
          ? `now needs ${inWords(to)}, and needed nothing before`
          : `no longer accepts ${inWords([refused])}: it needs ${inWords(to)}`;
      yield { impact: 'major', subject, what, place };
    }
    for (const added of to.filter((each) => !satisfies(each, from))) {
      if (added.length === 0) {
        const what = `is open to everybody, and needed ${inWords(from)} before`;
        yield { impact: 'major', subject, what, place, alarm: true };
      } else if (!isOpen(after) && from.every((each) => satisfies(each, to))) {
        yield { impact: 'minor', subject, what: `now accepts ${inWords([added])} as well`, place };
      }
    }
  }
  yield* newAndOpen(pair);
  yield* compareSchemes(pair);
};

/** How a key is sent is asked of every caller; the rest is said of it. */
function* compareSchemes(pair: Pair): Iterable<Change> {
  for (const { name: scheme, before, after } of matchedIn(pair, schemesOf)) {
    const subject = `security scheme ${scheme}`;
    const place = placeOf(pair, after ? 'revision' : 'base', ['components', 'securitySchemes', scheme]);
    if (!before || !after) {
      yield { impact: 'patch', subject, what: after ? 'is new' : 'is gone', place };
      continue;
    }
    for (const name of differing(before, after)) {
      const impact = ['type', 'scheme', 'in', 'name'].includes(name) ? 'major' : 'patch';
      yield { impact, subject, what: modification(name, before[name], after[name]), place };
    }
  }
}

function schemesOf({ document }: Contract): Map<string, Json> {
  return entriesOf(document.components?.securitySchemes);
}

/** The old names of schemes that have others now. Nobody sends a name. */
function renamedSchemes(pair: Pair): Readonly<Record<string, string>> {
  const schemes = matchedIn(pair, schemesOf);
  const gone = schemes.filter(({ after }) => !after);
  return Object.fromEntries(
    schemes.flatMap(({ name, before, after }) => {
      const isSame = (old: Json) => !differing(old.before, after).some((key) => key !== 'description');
      const old = before ? undefined : gone.find(isSame);
      return old ? [[name, old.name]] : [];
    }),
  );
}

/** Breaks nothing, but who adds an operation that needs no key should have meant it. */
function* newAndOpen(pair: Pair): Iterable<Change> {
  for (const operation of operationsOnlyIn('revision', pair).filter(isOpen)) {
    const place = placeOfSecurity(pair, operation);
    yield { impact: 'minor', subject: nameOf(operation), what: 'is open to everybody', place, alarm: true };
  }
}

function requirementsOf({ security }: Operation): readonly Requirement[] {
  return security.length === 0 ? [[]] : security;
}

/** Whether who meets `requirement` is let in by one of `others`. */
function satisfies(requirement: Requirement, others: readonly Requirement[]): boolean {
  return others.some((other) => other.every((scheme) => requirement.includes(scheme)));
}

function inWords(alternatives: readonly Requirement[]): string {
  return alternatives.map((schemes) => schemes.join(' with ') || 'nothing').join(' or ');
}

function placeOfSecurity(pair: Pair, { pointer, definition }: Operation): Place {
  if (definition.security !== undefined) return placeOf(pair, 'revision', [...pointer, 'security']);
  return placeOf(pair, pair.revision.document.security === undefined ? 'base' : 'revision', ['security']);
}
