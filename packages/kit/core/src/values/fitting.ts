import { pointerTo, stepsOf } from '../json/index.ts';
import type { Schemas } from '../model/index.ts';
import { nthChoice } from './choices.ts';
import { makeValue, shownExamples, type Made, type WithExamples } from './maker.ts';
import { carries, placeOf } from './place.ts';
import { violationsIn, type Violations } from './violations.ts';

/** How many of equally good values are tried until one fits. */
const MOST_TRIED = 4;
/** How many examples that do not fit are replaced in one value. */
const MOST_REPLACED = 60;

type View = 'sent' | 'response';

/** Values for the parts of a contract, each of which fits its schema and can be carried by its place. */
export interface Values {
  /** The author's examples if they fit, then values that are made. */
  readonly all: (view: View, part: WithExamples) => Iterable<unknown>;
  /** The first of them; undefined if there is none. */
  readonly first: (view: View, part: WithExamples) => unknown;
  /** Why there is none, such as "`/a/b`: maxLength 3 excludes every text that the pattern ^[a-z]{5}$ allows". */
  readonly whyNone: (view: View, part: WithExamples) => string;
}

export function valuesIn({ schemas }: { readonly schemas: Schemas }): Values {
  const values = known.get(schemas) ?? makeValues(schemas);
  known.set(schemas, values);
  return values;
}

/** Once for all who make values of a contract: each validator has all components. */
const known = new WeakMap<Schemas, Values>();

function makeValues(schemas: Schemas): Values {
  const violationsOf = violationsIn({ schemas });

  function* tried(view: View, part: WithExamples): Generator<Tried, void> {
    const place = placeOf(part);
    // As it is written: a reference to what extends a base has the tags of that.
    const { schema = {} } = 'written' in part ? { schema: part.written } : part;
    const violations = (value: unknown) => violationsOf(view, schema, value);
    const excluded = new Map<string, Set<unknown>>();
    const exclude = ({ pointer, value }: Made['shown'][number]) => {
      excluded.set(pointer, (excluded.get(pointer) ?? new Set()).add(value));
    };
    for (const value of shownExamples(schemas, part)) {
      const found = carries(place, value) ? violations(value) : undefined;
      if (found?.length === 0) yield { value };
      else exclude({ pointer: '', value });
    }
    const given = part.schema === undefined ? { ...part, schema: {} } : part;
    // Many contracts require no field of a response: the required ones alone would be {}.
    for (const isFull of view === 'response' ? [true, false] : [false, true])
      for (let nth = 0; nth < MOST_TRIED; nth += 1)
        for (const ignoresShown of [false, true])
          for (let replaced = 0; replaced < MOST_REPLACED; replaced += 1) {
            const made = makeValue(schemas, given, {
              view,
              ignoresShown,
              choices: nthChoice(nth, isFull),
              excluded,
            });
            const { value } = made;
            const isCarried = value !== undefined && carries(place, value);
            const found = isCarried ? violations(value) : [];
            if (isCarried && found.length === 0) yield { value };
            if (isCarried && found.length === 0) break;
            const blamed = blamedFor(found, made);
            if (blamed.length === 0) {
              yield { why: reasonOf(made, found) };
              break;
            }
            blamed.forEach(exclude);
          }
  }

  function* all(view: View, part: WithExamples) {
    for (const each of tried(view, part)) if ('value' in each) yield each.value;
  }

  return {
    all,
    first(view, part) {
      const [first] = all(view, part);
      return first;
    },
    whyNone(view, part) {
      for (const each of tried(view, part)) if ('why' in each) return each.why;
      return 'nothing that was tried fits';
    },
  };
}

type Tried = { readonly value: unknown } | { readonly why: string };

/** The examples that violations are about: that are wrong, have what is wrong, or else are inside of it. */
function blamedFor(violations: ReturnType<Violations>, { shown }: Made): Made['shown'] {
  const wrong = violations.map(({ instancePath }) =>
    pointerTo(stepsOf(instancePath).map((step) => (/^\d+$/.test(step) ? '*' : step))),
  );
  const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`);
  const having = shown.filter(({ pointer }) => wrong.some((place) => isWithin(place, pointer)));
  if (having.length > 0) return having;
  return shown.filter(({ pointer }) => wrong.some((place) => isWithin(pointer, place)));
}

/** Why a value could not be made, or does not fit. */
function reasonOf({ troubles }: Made, violations: ReturnType<Violations>): string {
  const violation = violations.at(-1);
  const [first] = troubles;
  const own = violation && troubles.get(violation.instancePath);
  const [pointer, why] = own ? [violation.instancePath, own] : !violation && first ? first : [];
  if (why !== undefined) return placed(pointer ?? '', why);
  if (!violation) return 'nothing that was tried can be carried';
  const { instancePath, keyword, schema, data, message = '' } = violation;
  const stated: unknown = schema;
  const what = Object(stated) === stated ? keyword : `${keyword} ${JSON.stringify(stated)}`;
  return placed(instancePath, `${what} excludes ${shortened(data)}, which ${message}`);
}

const placed = (pointer: string, why: string) => (pointer === '' ? why : `\`${pointer}\`: ${why}`);

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

const MOST_SHOWN = 60;
