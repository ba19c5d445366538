import { referenceIn, successesOf, type MediaType, type Model, type Schemas } from '@contract-kit/core/model';

import { examplesIn, type Example } from './examples.ts';
import { codeText, typeText } from './fields.ts';
import { serversText } from './introduction.ts';
import { linksText } from './links-text.ts';
import { joined, labelled, linkTo, sentencesOf } from './blocks.ts';
import type { Operation, Response, Server } from '../openapi.ts';
import { marksOf, specialHeaders, type Reference } from '../reference.ts';
import { outlineOf } from './outline.ts';
import { describedText, formOutline, styleText } from './parameter-text.ts';
import { componentText, outlineText, schemaText, wholeType } from './schema-text.ts';
import { alsoSentText, operationOfResponse, sentErrorsOf } from './sent-errors.ts';
import { isExample, type Served } from '../served.ts';
import { streamExample, streamText } from './stream-text.ts';

/* The texts of an operation in Markdown, which the page shows as HTML. */

/** What an operation takes, in parts. */
export function inputsOf(
  served: Served,
  operation: Operation,
  view: 'sent' | 'response' = 'sent',
): InputPart[] {
  const { schemas } = served.model;
  const { parameters, body } = operation;
  const text = describedText(
    schemas,
    'Parameter',
    parameters,
    view,
    (parameter, { type, meaning, ...row }) => ({
      ...row,
      type: `${type} in ${parameter.in}`,
      meaning: sentencesOf([meaning, styleText(schemas, parameter)]),
    }),
  );
  const needed = body?.required ? 'Required' : 'Optional';
  const content = body?.content ?? [];
  const bodies = content.map((media) =>
    labelled(`${needed}, \`${media.type}\``, bodyText(schemas, media, view)),
  );
  return [
    { title: 'Parameters', text, examples: [] },
    {
      title: 'Body',
      text: joined([body?.description, ...bodies]),
      // The samples show the other.
      examples: examplesIn(
        served,
        content,
        view,
        (media) => media !== body?.media || media.examples !== undefined,
      ),
    },
  ].filter((part) => part.text);
}

/** A part of what an operation takes. */
export interface InputPart {
  readonly title: string;
  readonly text: string;
  readonly examples: readonly Example[];
}

function bodyText(schemas: Schemas, media: MediaType, view: 'sent' | 'response'): string {
  const schema = media.declaredSchema ?? {};
  return outlineText(
    wholeType(schemas, schema),
    formOutline(schemas, media, outlineOf(schemas, schema, view)),
  );
}

/** What an operation is for, and where the contract says that it is served. */
export function aboutOperation({ document }: Served, { path, definition }: Operation): string {
  const item = document.paths[path] as
    { readonly servers?: unknown; readonly description?: unknown } | undefined;
  const servers = [definition['servers'], item?.servers].find(Array.isArray) as readonly Server[] | undefined;
  return joined([
    definition.description,
    typeof item?.description === 'string' && item.description,
    linkTo(definition.externalDocs),
    servers && 'The contract names other servers for it. This server serves it, too:',
    servers && serversText(servers),
  ]);
}

/** The codes, types, fields, headers and links of a response. */
export function responseText(reference: Reference, response: Response): string {
  const { content, codes = [] } = response;
  const bodies = content.map((media) =>
    labelled(`\`${media.type}\``, contentText(reference.model, response, media)),
  );
  const headers = specialHeaders(reference, response).map(({ id, name }) => `[\`${name}\`](#${id})`);
  return joined([
    alsoSentText(reference, response),
    codes.length > 0 && `Code: ${codes.map((code) => `[\`${code}\`](#error-${code})`).join(' or ')}.`,
    ...(bodies.length > 0 ? bodies : ['No body.']),
    headers.length > 0 && `Headers: ${headers.join(', ')}.`,
    linksText(reference, response),
  ]);
}

function contentText(model: Model, response: Response, media: MediaType): string {
  const { declaredSchema: schema } = media;
  const operation = operationOfResponse(model, response);
  const stream = streamText(model, response, media, operation);
  if (media.form || !schema) return stream || 'anything.';
  // Errors share their schemas, which have the fields.
  const isError = operation !== undefined && !successesOf(operation).includes(response);
  const whole = isError && referenceIn(schema) !== undefined;
  return joined([
    stream,
    whole ? `${typeText(model.schemas, schema)}.` : schemaText(model.schemas, schema, 'response'),
  ]);
}

/** What every response of the service has, for an operation. */
export function everyResponseText({ headers }: Reference): string {
  const common = [...headers.values()].filter(({ everywhere }) => everywhere);
  return common.length > 0
    ? `Every response has ${common.map(({ id, name }) => `[\`${name}\`](#${id})`).join(', ')}.`
    : '';
}

/** Those of the contract's author; otherwise the errors that the service sends; otherwise made ones. */
export function examplesOf(served: Served, response: Response): Example[] {
  const sent = sentErrorsOf(served, response);
  if (sent.length > 0)
    return sent.map(({ code, isJson, text }) => ({
      title: sent.length > 1 ? codeText(code) : '',
      description: '',
      lang: isJson ? 'json' : '',
      text,
    }));
  const { content } = response;
  return content.flatMap((media): Example[] => {
    const text = media.examples ? undefined : streamExample(served.model, response, media);
    if (text === undefined) return examplesIn(served, content, 'response', (one) => one === media);
    return [{ title: content.length > 1 ? media.type : '', description: '', lang: '', text }];
  });
}

/** The examples of the body of a webhook or callback. */
export function bodyExamplesOf(served: Served, { body }: Operation): Example[] {
  return examplesIn(served, body?.content ?? [], 'response');
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
    meaning: sentencesOf([row.meaning, everywhere && 'In every response.']),
  }));
};

export const schemaTexts = ({ document, model }: Served) =>
  Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    return { name, text: componentText(model.schemas, name, schema) };
  });
