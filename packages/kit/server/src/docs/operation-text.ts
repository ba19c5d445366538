import type { MediaType, Schemas } from '@contract-kit/core/model';
import { examplesIn, type Example } from './examples.ts';
import { joined } from './markdown-blocks.ts';
import type { Operation, Response } from './openapi.ts';
import { marksOf, specialHeaders, type Reference } from './reference.ts';
import { outlineOf } from './outline.ts';
import { describedText, formOutline, styleText } from './parameter-text.ts';
import { componentText, outlineText, schemaText, wholeType } from './schema-text.ts';
import { isExample, type Served } from './served.ts';

/* The texts of an operation in Markdown, which the page shows as HTML. */

/** What an operation takes, in parts. */
export function inputsOf(served: Served, operation: Operation): Input[] {
  const { schemas } = served.model;
  const { parameters, body } = operation;
  const text = describedText(
    schemas,
    'Parameter',
    parameters,
    'sent',
    (parameter, { type, meaning, ...row }) => ({
      ...row,
      type: `${type} in ${parameter.in}`,
      meaning: [meaning, styleText(schemas, parameter)].filter(Boolean).join(' '),
    }),
  );
  const needed = body?.required ? 'Required' : 'Optional';
  const content = body?.content ?? [];
  const bodies = content.map((media) => `${needed}, \`${media.type}\`: ${bodyText(schemas, media)}`);
  return [
    { title: 'Parameters', text, examples: [] },
    {
      title: 'Body',
      text: joined([body?.description, ...bodies]),
      // The samples show the other.
      examples: examplesIn(
        served,
        content,
        'sent',
        (media) => media !== body?.media || media.examples !== undefined,
      ),
    },
  ].filter((part) => part.text);
}

/** A part of what an operation takes. */
export interface Input {
  readonly title: string;
  readonly text: string;
  readonly examples: readonly Example[];
}

function bodyText(schemas: Schemas, media: MediaType): string {
  const schema = media.declaredSchema ?? {};
  return outlineText(
    wholeType(schemas, schema),
    formOutline(schemas, media, outlineOf(schemas, schema, 'sent')),
  );
}

/** The codes, types and headers of a response, and with `hasFields` the fields of its body. */
export function responseText(reference: Reference, response: Response, hasFields = false): string {
  const { content, codes = [] } = response;
  const bodies = content.flatMap(({ type, declaredSchema: schema = {} }) => {
    // All errors share a schema, which has the fields.
    const isShown = hasFields && codes.length === 0;
    return [`\`${type}\`: ${isShown ? schemaText(reference.model.schemas, schema, 'response') : ''}`];
  });
  const headers = specialHeaders(reference, response).map(({ id, name }) => `[\`${name}\`](#${id})`);
  return joined([
    codes.length > 0 && `Code: ${codes.map((code) => `[\`${code}\`](#error-${code})`).join(' or ')}.`,
    ...(bodies.length > 0 ? bodies : ['No body.']),
    headers.length > 0 && `Headers: ${headers.join(', ')}.`,
  ]);
}

export function examplesOf(served: Served, { content }: Response): Example[] {
  return examplesIn(served, content, 'response');
}

export function notesOf(served: Served, operation: Operation): string[] {
  const { definition } = operation;
  const { deprecated, 'x-deprecated-since': since, 'x-deprecated-sunset': sunset } = definition;
  const notes = [
    ...marksOf(served.document, operation),
    isExample(served, operation) && 'example only',
    definition['x-stability'],
    deprecated && `deprecated${since ? ` since ${since}` : ''}`,
    sunset && `sunset ${sunset}`,
  ];
  return notes.filter((note) => typeof note === 'string');
}

export const headersOf = ({ model, headers }: Pick<Reference, 'model' | 'headers'>) => {
  const all = [...headers.values()].map(({ header, ...known }) => ({ ...header, ...known, required: false }));
  return describedText(model.schemas, 'Header', all, 'response', ({ id, everywhere }, row) => ({
    ...row,
    id,
    meaning: [row.meaning, everywhere ? 'In every response.' : ''].filter(Boolean).join(' '),
  }));
};

export const schemaTexts = ({ document, model }: Served) =>
  Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    return { name, text: componentText(model.schemas, name, schema) };
  });
