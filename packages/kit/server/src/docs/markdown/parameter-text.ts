import type { JsonObject } from '@contract-kit/core/json';
import { writeParameter } from '@contract-kit/core/http';
import {
  fieldStylesOf,
  withParts,
  writtenStyleOf,
  type Described,
  type MediaType,
  type Parameter,
  type Schemas,
} from '@contract-kit/core/model';
import { codeText, eitherText, typeText, type FieldRow } from './fields.ts';
import { joined, sentencesOf, tableOf } from './blocks.ts';
import type { Outline } from './choices.ts';
import { outlineOf } from './outline.ts';
import { partsText } from './schema-text.ts';

/* Parameters, headers and the fields of forms as Markdown. */

/** A table of `all`, each with the fields of its value. `place` adds where it stands to its row. */
export function describedText<Each extends Described>(
  schemas: Schemas,
  what: string,
  all: readonly Each[],
  view: 'sent' | 'response',
  rowOf: (each: Each, row: FieldRow) => FieldRow & { readonly id?: string },
): string {
  const each = all.map((described) => {
    const { name, required, written } = described;
    const { meaning, rows, choices } = outlineOf(schemas, valueOf(described), view, name);
    const text = sentencesOf([meaning, examplesText(schemas, described)]);
    const row = { name, required, type: typeText(schemas, written), meaning: text };
    return { row: rowOf(described, row), rows, choices };
  });
  return joined([
    tableOf(
      what,
      each.flatMap(({ row, rows }) => [row, ...rows]),
    ),
    ...partsText(
      [],
      each.flatMap(({ choices }) => choices),
    ),
  ]);
}

/** The schema of a parameter with what the parameter says of it. Its description overrides that of its schema. */
function valueOf({ description, deprecated, example, written }: Described): JsonObject {
  const said = {
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    ...(example !== undefined && { example }),
  };
  return withParts(said, [written]);
}

/** Its named examples. */
function examplesText(schemas: Schemas, { examples = {} }: Described): string {
  const texts = Object.values(examples).map((given) => {
    const {
      summary,
      externalValue,
      value,
      dataValue = value,
      serializedValue = dataValue,
    }: JsonObject = schemas.resolve(given);
    const text = typeof externalValue === 'string' ? `<${externalValue}>` : codeText(serializedValue);
    return typeof summary === 'string' ? `${text} (${summary})` : text;
  });
  return texts.length > 0 ? `${texts.length > 1 ? 'Examples' : 'Example'}: ${texts.join(', ')}.` : '';
}

/** How a parameter is written, in words; empty in the usual way. */
export function styleText(schemas: Schemas, parameter: Parameter): string {
  if (parameter.content !== undefined) return `Written as ${codeText(parameter.content)}.`;
  const style = writtenStyleOf(parameter);
  return style ? styled(schemas, { name: parameter.name, in: parameter.in, ...style }, parameter.schema) : '';
}

type Placed = Parameters<typeof writeParameter>[0];

function styled(schemas: Schemas, placed: Placed, schema: unknown): string {
  const types = schemas.typesOf(schema);
  const names = Object.keys(schemas.possibleFieldsOf(schema)).slice(0, 2);
  const fields = names.length > 0 ? names : ['name'];
  const object = () => Object.fromEntries(fields.map((name, index) => [name, LETTERS[index]])) as JsonObject;
  const value = types.has('object') ? object() : types.has('array') ? LETTERS : LETTERS[0];
  try {
    const text = writeParameter(placed, value, String, () => {
      throw new TypeError('It cannot be shown.');
    });
    return text === undefined
      ? ''
      : `Written as ${codeText(text.replaceAll('%5B', '[').replaceAll('%5D', ']'))}.`;
  } catch {
    return '';
  }
}

const LETTERS = ['a', 'b'];

/** `outline` of a form with how its fields are written. */
export function formOutline(schemas: Schemas, media: MediaType, outline: Outline): Outline {
  const styles = new Map(Object.entries(fieldStylesOf(media)));
  const fields = schemas.possibleFieldsOf(media.declaredSchema);
  const rows = outline.rows.map((row) => {
    const { contentType } = Object.hasOwn(media.encoding, row.name) ? (media.encoding[row.name] ?? {}) : {};
    const style = styles.get(row.name);
    const notes = [
      ...(contentType
        ? [`Sent as ${eitherText(contentType.split(',').map((type) => codeText(type.trim())))}.`]
        : []),
      ...(style ? [styled(schemas, { name: row.name, in: 'query', ...style }, fields[row.name])] : []),
    ];
    return { ...row, meaning: sentencesOf([row.meaning, ...notes]) };
  });
  return { ...outline, rows };
}
