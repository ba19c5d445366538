import { referenceIn, successesOf, type MediaType, type Model } from '@contract-kit/core/model';
import { makeValue, nthChoice } from '@contract-kit/core/values';
import { fieldRowOf, typeText } from './fields.ts';
import { serversText } from './introduction.ts';
import { linksText } from './links-text.ts';
import { joined, labelled, linkTo, tableOf } from './markdown-blocks.ts';
import type { Operation, Response, Server } from './openapi.ts';
import { marksOf, specialHeaders, type Reference } from './reference.ts';
import { schemaText } from './schema-text.ts';
import { alsoSentText, operationOfResponse, sentErrorsOf } from './sent-errors.ts';
import { isExample, type Served } from './served.ts';
import { streamExample, streamText } from './stream-text.ts';

/* The texts of an operation in Markdown, which the page shows as HTML. */

/** What an operation takes, in parts. */
export function inputsOf(
  { model }: Served,
  { parameters, body }: Operation,
  view: 'sent' | 'response' = 'sent',
) {
  const rows = parameters.map((parameter) => {
    const row = fieldRowOf(parameter);
    return { ...row, type: `${row.type} in ${parameter.in}` };
  });
  const needed = body?.required ? 'Required' : 'Optional';
  const bodies = (body?.content ?? []).map(({ type, declaredSchema: schema = {} }) =>
    labelled(`${needed}, \`${type}\``, schemaText(model.schemas, schema, view)),
  );
  const parts = [
    { title: 'Parameters', text: tableOf('Parameter', rows) },
    { title: 'Body', text: joined([body?.description, ...bodies]) },
  ];
  return parts.filter(({ text }) => text);
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
  return joined([stream, whole ? `${typeText(schema)}.` : schemaText(model.schemas, schema, 'response')]);
}

/** What every response of the service has, for an operation. */
export function everyResponseText({ headers }: Reference): string {
  const common = [...headers.values()].filter(({ everywhere }) => everywhere);
  return common.length > 0
    ? `Every response has ${common.map(({ id, name }) => `[\`${name}\`](#${id})`).join(', ')}.`
    : '';
}

/** The examples of the body of a request, in its preferred type. */
export function bodyExamplesOf({ model }: Served, { body }: Operation): Example[] {
  return body ? mediaExamplesOf(model, body.media) : [];
}

type Example = [lang: string, text: string];

/** Those of the contract's author; otherwise the errors that the service sends; otherwise made ones. */
export function examplesOf(served: Served, response: Response): Example[] {
  const sent = sentErrorsOf(served, response);
  if (sent.length > 0) return sent.map(({ isJson, text }) => [isJson ? 'json' : '', text]);
  return response.content.flatMap((media): Example[] => {
    const stream = streamExample(served.model, response, media);
    return stream === undefined ? mediaExamplesOf(served.model, media) : [['', stream]];
  });
}

function mediaExamplesOf({ schemas }: Model, media: MediaType): Example[] {
  if (media.kind === 'json') {
    const { value: example } = makeValue(schemas, media, { view: 'response', choices: nthChoice(0, true) });
    return example === undefined ? [] : [['json', JSON.stringify(example, undefined, 2)]];
  }
  return typeof media.example === 'string' ? [['', media.example]] : [];
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
