import type { Contract } from '@contract-kit/core';
import { mcpPath } from '@contract-kit/core/own-paths';
import { clientNames } from '@contract-kit/core/client-names';
import { exampleOf } from '@contract-kit/core/shown-example';
import { lexer } from 'marked';
import { schemesOf, type Document, type Link, type Operation, type Response } from './openapi.ts';
import {
  code,
  marksOf,
  meaningOf,
  placeNames,
  rowOf,
  rowsOf,
  schemeText,
  specialHeaders,
  typeText,
  type Reference,
  type Row,
} from './reference.ts';

/* The texts of the reference in Markdown, which the page shows as HTML. */

interface Section {
  readonly title: string;
  /** Its table, which names its place. */
  subject?: string;
  text: string;
}

/** The description of the API, split at its second-level headings, with the tables about its subjects. */
export function introductionOf(document: Document) {
  const { info } = document;
  const tokens = lexer(info.description ?? '');
  // Every section may refer to them.
  const links = tokens.map(({ type, raw }) => (type === 'def' ? `${raw}\n\n` : '')).join('');
  const lead: Section = { title: '', text: links };
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading' && token['depth'] === 2)
      sections.push({ title: String(token['text']), text: links });
    else (sections.at(-1) ?? lead).text += token.raw;
  }

  const schemes = [...schemesOf(document)];
  const plans = Object.values(document['x-rate-limit-plans'] ?? {});
  const codes = Object.entries(document['x-error-codes'] ?? {});
  const planRows = plans.map(({ name, ...quota }) => [
    name,
    ...[quota.perMinute, quota.perDay].map((value) => value.toLocaleString('en')),
  ]);
  const codeRows = codes.map(([name, { status, description }]) => {
    return { id: `error-${name}`, name, required: false, type: String(status), meaning: description };
  });
  const list = schemes.map(([name, scheme]) => `- \`${name}\`: ${schemeText(scheme)}`).join('\n');
  addTable(/authenti/i, 'Authentication', list);
  addTable(
    /limit|plan/i,
    'Rate limits',
    table(['Plan', 'Requests per minute', 'Requests per day'], planRows),
  );
  addTable(/error/i, 'Errors', tableOf('Code and status', codeRows));

  /** Adds it to the first section about its subject, or to a new one. */
  function addTable(about: RegExp, subject: string, text: string): void {
    if (text === '') return;
    let section = sections.find(({ title }) => about.test(title));
    if (!section) sections.push((section = { title: subject, text: '' }));
    section.subject ??= subject;
    section.text = joined([section.text, text]);
  }
  const placeOf = placeNames();
  return {
    lead: lead.text,
    sections: sections.map(({ title, subject = title, text }) => {
      return { id: `about-${placeOf(subject)}`, title, text: joined([text]) };
    }),
  };
}

/** What an operation takes, in parts. */
export function inputsOf(document: Document, { parameters, body }: Operation) {
  const rows = parameters.map((parameter) => {
    const row = rowOf(parameter);
    return { ...row, type: `${row.type} in ${parameter.in}` };
  });
  const needed = body?.required ? 'Required' : 'Optional';
  const bodies = (body?.content ?? []).flatMap(({ type, schema = {} }) => [
    `${needed}, \`${type}\`: ${typeText(schema)}. ${meaningOf(schema)}`,
    tableOf('Field', rowsOf(document, schema, 'sent')),
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
  const bodies = content.flatMap(({ type, schema = {} }) => {
    // All errors share a schema, which has the fields.
    const rows = hasFields && codes.length === 0 ? rowsOf(reference.document, schema, 'response') : [];
    return [`\`${type}\`: ${typeText(schema)}.`, tableOf('Field', rows)];
  });
  const headers = specialHeaders(reference, response).map(({ id, name }) => `[\`${name}\`](#${id})`);
  return joined([
    codes.length > 0 && `Code: ${codes.map((code) => `[\`${code}\`](#error-${code})`).join(' or ')}.`,
    ...(bodies.length > 0 ? bodies : ['No body.']),
    headers.length > 0 && `Headers: ${headers.join(', ')}.`,
  ]);
}

export function examplesOf(document: Document, { content }: Response): [lang: string, text: string][] {
  return content.flatMap((media): [string, string][] => {
    if (media.kind === 'json')
      return [
        [
          'json',
          JSON.stringify(exampleOf(document, media, { view: 'response', isFull: true }), undefined, 2),
        ],
      ];
    return typeof media.example === 'string' ? [['', media.example]] : [];
  });
}

export function notesOf(document: Document, operation: Operation): string[] {
  const { definition } = operation;
  const { deprecated, 'x-deprecated-since': since, 'x-deprecated-sunset': sunset } = definition;
  const notes = [
    ...marksOf(document, operation),
    definition['x-answers-from-example'] && 'example only',
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

export const schemasOf = (document: Document) =>
  Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    return {
      name,
      text: joined([typeText(schema), meaningOf(schema), tableOf('Field', rowsOf(document, schema))]),
    };
  });

/** The packages that call this API. */
export function packagesOf({ name, operations }: Contract): string {
  const { package: client, mcpPackage } = clientNames(name);
  const hasLists = Object.values(operations).some(({ responseTypes }) =>
    Object.values(responseTypes).includes('array'),
  );
  const streams = hasLists ? ` \`${client}/stream\` reads long lists item by item.` : '';
  return `- \`${client}\` is the typed client. It waits for quotas, retries what is safe to repeat, and throws errors by status and code.${streams}
- \`${mcpPackage}\` is an MCP server. It gives agents the operations as tools.
- \`${mcpPath}\` on this server has the same tools over HTTP (MCP, Streamable HTTP). Send the API key as in any request.`;
}

export const linkTo = (link: Link | undefined) =>
  link ? `[${link.description ?? 'More'}](${link.url})` : '';

export const line = (text: string) => text.trim().replace(/\s+/g, ' ');
/** Paragraphs with one empty line between them. Lines within a paragraph stay, because they may be code. */
export const joined = (parts: readonly (string | false | undefined)[]) =>
  parts
    .map((part) => (part || '').replace(/^\n+|\s+$/g, ''))
    .filter(Boolean)
    .join('\n\n');

/** A row with an id links to itself, which gives it that id on the page. */
function tableOf(what: string, rows: readonly (Row & { readonly id?: string })[]): string {
  return table(
    [what, 'Meaning'],
    rows.map(({ id, name, type, required, meaning }) => [
      `${id ? `[${code(name)}](#${id})` : code(name)} ${type}${required ? ', *required*' : ''}`,
      meaning,
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => line(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}
