import {
  componentReference,
  compositionOf,
  referenceIn,
  referTo,
  type Schema,
  type Schemas,
} from '@contract-kit/core/model';
import { typeText, type FieldRow } from './fields.ts';
import { indented, joined, tableOf } from './blocks.ts';
import type { Case, Choice, Outline } from './choices.ts';
import { outlineOf, type Direction } from './outline.ts';

/** All that a schema says, in Markdown: its type, its limits and its fields, without those of the other direction. */
export function schemaText(schemas: Schemas, schema: Schema | undefined, view?: Direction): string {
  return outlineText(wholeType(schemas, schema), outlineOf(schemas, schema, view));
}

/** The type of a body, with that of a named schema unless the fields say it. */
export function wholeType(schemas: Schemas, schema: Schema | undefined): string {
  const type = typeText(schemas, schema);
  if (referenceIn(schema) === undefined) return type;
  const target = schemas.resolve(schema);
  const behind = compositionOf(target).parts.length > 0 ? 'object' : typeText(schemas, target);
  return behind === 'object' ? type : `${type}: ${behind}`;
}

/** The same of a named schema of the contract. */
export function componentText(schemas: Schemas, name: string, written: Schema): string {
  const reference = referTo(componentReference('schemas', name));
  return outlineText(typeText(schemas, written), outlineOf(schemas, reference, undefined));
}

export function outlineText(type: string, { meaning, rows, choices }: Outline): string {
  return joined([`${type}. ${meaning}`, ...partsText(rows, choices)]);
}

export const partsText = (rows: readonly FieldRow[], choices: readonly Choice[]) => [
  tableOf('Field', rows),
  ...choices.map(choiceText),
];

function choiceText({ lead, cases }: Choice): string {
  return joined([lead && `${lead}:`, cases.map(caseText).join('\n')]);
}

function caseText({ title, meaning, rows, choices }: Case): string {
  const text = joined([`**${title}**${meaning && `. ${meaning}`}`, ...partsText(rows, choices)]);
  return `- ${indented(text)}${text.includes('\n') ? '\n' : ''}`;
}
