import type { JsonObject } from '@contract-kit/core/json';
import { compositionOf, taggedIn, type Family, type Schemas } from '@contract-kit/core/model';
import { clauseOf } from './clauses.ts';
import { codeText, eitherText, isNull, labelOf, schemaLink, type FieldRow } from './fields.ts';

/** All that a schema says, but for its type. */
export interface Outline {
  /** About the value as a whole. */
  readonly meaning: string;
  /** Its fields, and those of unnamed objects in it. */
  readonly rows: readonly FieldRow[];
  /** What holds for some values only. */
  readonly choices: readonly Choice[];
}

export interface Choice {
  /** What they are alternatives of; empty if each case says so itself. */
  readonly lead: string;
  readonly cases: readonly Case[];
}

export interface Case extends Outline {
  readonly title: string;
}

/** Where a value stands in another. */
export interface Spot {
  /** The path to it: `books[].title`; empty for the whole. */
  readonly name: string;
  /** How texts call it. */
  readonly subject: string;
  /** How many more levels of alternatives show what references to named schemas lead to. The others are links. */
  readonly depth: number;
  /** The schemas that lead to it: they may lead back to themselves. */
  readonly around: readonly unknown[];
  /** The fields that the schema around it has, of the same value. */
  readonly known: JsonObject;
}

export const NOTHING: Outline = { meaning: '', rows: [], choices: [] };

/* What of a schema holds for some values only. */

type OutlineAt = (schema: unknown, spot: Spot, families?: readonly Family[]) => Outline;

/** The alternatives and conditions of `parts`, whose value is at `spot`. */
export function choicesOf(
  schemas: Schemas,
  parts: readonly JsonObject[],
  families: readonly Family[],
  spot: Spot,
  outlineAt: OutlineAt,
): Choice[] {
  return [...parts.flatMap(unionsIn), ...families.flatMap(extensionsIn), ...parts.flatMap(conditionsIn)];

  function unionsIn(part: JsonObject): Choice[] {
    const tagged = taggedIn(part, schemas);
    return compositionOf(part).unions.flatMap(({ keyword, isExclusive, branches }) => {
      const values = branches.map(({ schema }) => schema).filter((branch) => !isNull(schemas, branch));
      if (values.length < 2) return [];
      const {
        property,
        branches: named,
        otherwise,
      } = (tagged?.keyword === keyword && tagged) || { branches: [] };
      const titles = titlesOf(schemas, values);
      const cases = values.map((branch, index) => {
        const found = named.find(({ schema }) => schema === branch);
        const when =
          found && property !== undefined
            ? ` if ${tagClause(property, found.tags, found === otherwise)}`
            : '';
        return caseOf(`${titles[index]}${when}`, branch);
      });
      const isSaid = cases.every(
        ({ meaning, rows, choices }) => !meaning && rows.length + choices.length === 0,
      );
      // The type names them.
      if (isSaid && property === undefined) return [];
      const word = isExclusive ? 'one of' : 'any of';
      const lead = spot.subject ? `${spot.subject} is ${word}` : isExclusive ? 'One of' : 'Any of';
      return [{ lead: property === undefined ? lead : `${lead}, by ${codeText(property)}`, cases }];
    });
  }

  /** What extends a base adds the fields that its tag names. */
  function extensionsIn({ property, extensions, otherwise }: Family): Choice[] {
    const cases = extensions.map((extension) => {
      const { name, tags, schema, families: inner } = extension;
      const title = `${schemaLink(name)} if ${tagClause(property, tags, extension === otherwise)}`;
      // A link says what it adds.
      return spot.depth > 1 ? caseOf(title, schema, inner) : { title, ...NOTHING };
    });
    return cases.length > 0 ? [{ lead: `More fields, by ${codeText(property)}`, cases }] : [];
  }

  function conditionsIn({ if: condition, then, else: otherwise, dependentSchemas }: JsonObject): Choice[] {
    const when = condition === undefined ? '' : clauseOf(schemas, condition);
    const conditions: [string, unknown][] = [
      [`If ${when}`, when ? then : undefined],
      [then === undefined ? `Unless ${when}` : 'Otherwise', when ? otherwise : undefined],
      ...Object.entries(Object(dependentSchemas) as JsonObject).map(([name, schema]): [string, unknown] => [
        `If ${codeText(name)} is present`,
        schema,
      ]),
    ];
    const cases = conditions.flatMap(([title, schema]) => {
      if (schema === undefined) return [];
      return [caseOf(schema === false ? `${title}: not allowed` : title, schema)];
    });
    return cases.length > 0 ? [{ lead: spot.subject, cases }] : [];
  }

  function caseOf(title: string, schema: unknown, inner?: readonly Family[]): Case {
    return { title, ...outlineAt(schema, { ...spot, depth: Math.max(0, spot.depth - 1) }, inner) };
  }
}

/** What alternatives are called: unnamed ones that would be called the same have numbers. */
function titlesOf(schemas: Schemas, all: readonly unknown[]): string[] {
  const labels = all.map((schema) => labelOf(schemas, schema));
  return labels.map((label, index) => {
    if (label === 'anything') return `Alternative ${index + 1}`;
    const isShared = labels.indexOf(label) !== labels.lastIndexOf(label);
    return isShared ? `${label}, alternative ${index + 1}` : label;
  });
}

/** "`kind` is `cat` or `dog`" */
export function tagClause(property: string, tags: readonly string[], isOtherwise: boolean): string {
  const values = [...tags.map(codeText), ...(isOtherwise ? ['anything else'] : [])];
  return `${codeText(property)} is ${eitherText(values)}`;
}
