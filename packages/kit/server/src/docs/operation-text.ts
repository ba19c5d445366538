import { makeValue, nthChoice } from '@contract-kit/core/values';
import { fieldRowOf } from './fields.ts';
import { joined, tableOf } from './markdown-blocks.ts';
import type { Operation, Response } from './openapi.ts';
import { marksOf, specialHeaders, type Reference } from './reference.ts';
import { schemaText } from './schema-text.ts';
import { isExample, type Served } from './served.ts';

/* The texts of an operation in Markdown, which the page shows as HTML. */

/** What an operation takes, in parts. */
export function inputsOf({ model }: Served, { parameters, body }: Operation) {
  const rows = parameters.map((parameter) => {
    const row = fieldRowOf(parameter);
    return { ...row, type: `${row.type} in ${parameter.in}` };
  });
  const needed = body?.required ? 'Required' : 'Optional';
  const bodies = (body?.content ?? []).flatMap(({ type, declaredSchema: schema = {} }) => [
    `${needed}, \`${type}\`:`,
    schemaText(model.schemas, schema, 'sent'),
  ]);
  const parts = [
    { title: 'Parameters', text: tableOf('Parameter', rows) },
    { title: 'Body', text: joined([body?.description, ...bodies]) },
  ];
  return parts.filter(({ text }) => text);
}

/** The codes, types and headers of a response, and with `hasFields` the fields of its body. */
export function responseText(reference: Reference, response: Response, hasFields = false): string {
  const { content, codes = [] } = response;
  const bodies = content.flatMap(({ type, declaredSchema: schema = {} }) => {
    // All errors share a schema, which has the fields.
    const isShown = hasFields && codes.length === 0;
    return [`\`${type}\`:`, isShown && schemaText(reference.model.schemas, schema, 'response')];
  });
  const headers = specialHeaders(reference, response).map(({ id, name }) => `[\`${name}\`](#${id})`);
  return joined([
    codes.length > 0 && `Code: ${codes.map((code) => `[\`${code}\`](#error-${code})`).join(' or ')}.`,
    ...(bodies.length > 0 ? bodies : ['No body.']),
    headers.length > 0 && `Headers: ${headers.join(', ')}.`,
  ]);
}

export function examplesOf({ model }: Served, { content }: Response): [lang: string, text: string][] {
  return content.flatMap((media): [string, string][] => {
    if (media.kind === 'json') {
      const { value: example } = makeValue(model.schemas, media, {
        view: 'response',
        choices: nthChoice(0, true),
      });
      return example === undefined ? [] : [['json', JSON.stringify(example, undefined, 2)]];
    }
    return typeof media.example === 'string' ? [['', media.example]] : [];
  });
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

export const headersOf = ({ headers }: Reference) =>
  tableOf(
    'Header',
    [...headers.values()].map(({ everywhere, meaning, ...row }) => {
      return { ...row, meaning: `${meaning}${everywhere ? ' In every response.' : ''}` };
    }),
  );

export const schemaTexts = ({ document, model }: Served) =>
  Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    return { name, text: schemaText(model.schemas, schema) };
  });
