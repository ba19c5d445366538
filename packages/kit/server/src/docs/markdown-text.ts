import type { PublishedPackage } from '@contract-kit/core';
import { bodyTypeOf, successesOf } from '@contract-kit/core/model';
import { mcpPath } from '@contract-kit/core/http';
import { makeValue, nthChoice } from '@contract-kit/core/values';
import { lexer } from 'marked';
import type { Link, Operation, Response } from './openapi.ts';
import { isExample, type Served } from './served.ts';
import {
  codeText,
  marksOf,
  meaningOf,
  placeNames,
  fieldRowOf,
  fieldRowsOf,
  schemeText,
  specialHeaders,
  typeText,
  type Reference,
  type FieldRow,
} from './reference.ts';

/* The texts of the reference in Markdown, which the page shows as HTML. */

interface Section {
  readonly title: string;
  /** Its table, which names its place. */
  subject?: string;
  text: string;
}

/** The description of the API, split at its second-level headings, with the tables about its subjects. */
export function introductionOf({ document, model }: Served) {
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

  const schemes = [...model.schemes];
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
export function inputsOf({ model }: Served, { parameters, body }: Operation) {
  const rows = parameters.map((parameter) => {
    const row = fieldRowOf(parameter);
    return { ...row, type: `${row.type} in ${parameter.in}` };
  });
  const needed = body?.required ? 'Required' : 'Optional';
  const bodies = (body?.content ?? []).flatMap(({ type, declaredSchema: schema = {} }) => [
    `${needed}, \`${type}\`: ${typeText(schema)}. ${meaningOf(schema)}`,
    tableOf('Field', fieldRowsOf(model.schemas, schema, 'sent')),
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
    const rows =
      hasFields && codes.length === 0 ? fieldRowsOf(reference.model.schemas, schema, 'response') : [];
    return [`\`${type}\`: ${typeText(schema)}.`, tableOf('Field', rows)];
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
    return {
      name,
      text: joined([
        typeText(schema),
        meaningOf(schema),
        tableOf('Field', fieldRowsOf(model.schemas, schema)),
      ]),
    };
  });

/**
 * How to call this API from code and as an agent. Names a package only if it is published: whoever registers another name
 * would get the keys of those who install it.
 */
export function packagesOf({ contract, document, model }: Served): string {
  const { client, mcp } = contract.published ?? {};
  const hasLists = model.operations.some((operation) =>
    successesOf(operation).some((response) => bodyTypeOf(operation, response, model.schemas) === 'array'),
  );
  const streams =
    client && hasLists ? ` ${codeText(`${client.name}/stream`)} reads long lists item by item.` : '';
  const unpublished = [...(client ? [] : ['the typed client']), ...(mcp ? [] : ['the MCP server'])];
  return [
    client &&
      `${codeText(client.name)} is the typed client. It waits for quotas, retries what is safe to repeat, and throws errors by status and code.${streams} Install it with ${codeText(installing(client))}.`,
    mcp &&
      `${codeText(mcp.name)} is an MCP server. It gives agents the operations as tools. Install it with ${codeText(installing(mcp))}.`,
    unpublished.length > 0 &&
      `Ask ${contactOf(document.info)} for ${unpublished.join(' and ')} of this API. No registry has ${unpublished.length > 1 ? 'them' : 'it'}. Do not install a package with such a name: it would get your key.`,
    `${codeText(mcpPath)} on this server has the operations as tools for agents, over HTTP (MCP, Streamable HTTP). Send the key as in any request.`,
  ]
    .flatMap((text) => (text ? `- ${text}` : []))
    .join('\n');
}

/** From its registry and no other: npm reads the registry of a scope from its settings otherwise. */
function installing({ name, registry }: PublishedPackage): string {
  const scope = name.startsWith('@') ? `${name.split('/', 1)[0]}:` : '';
  return `npm install ${name} --${scope}registry=${registry}`;
}

/** Whom to ask. */
function contactOf({ contact = {} }: Served['document']['info']): string {
  const { name = 'the operator of this service', url, email } = contact;
  const address = url ?? (email && `mailto:${email}`);
  return address ? `[${name}](${address})` : name;
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
function tableOf(what: string, rows: readonly (FieldRow & { readonly id?: string })[]): string {
  return table(
    [what, 'Meaning'],
    rows.map(({ id, name, type, required, meaning }) => [
      `${id ? `[${codeText(name)}](#${id})` : codeText(name)} ${type}${required ? ', *required*' : ''}`,
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
