import type { Contract } from '@kit/contract';
import { exampleOf } from '@kit/contract/shown-example';
import type { Document, Operation } from './openapi.ts';
import {
  groupsOf,
  headersOf,
  meaningOf,
  packagesOf,
  rowOf,
  rowsOf,
  securityOf,
  specialHeaders,
  typeOf,
  type Group,
  type Row,
} from './reference.ts';

/* The reference for those who read text: agents, terminals, and other tools. */

/** An index of what there is to read, as llmstxt.org has it. */
export function renderIndex(contract: Contract, document: Document): string {
  const { title, summary = '' } = document.info;
  const at = (path: string) => originOf(document) + path;
  const entry = ({ operationId, title: text, method, path, deprecated }: Operation) =>
    `- [${text}](${at(`/docs#${operationId}`)}): \`${method} ${path}\`${deprecated ? ', deprecated' : ''}`;
  const sections = (groups: readonly Group[]): string[] =>
    groups.flatMap(({ title: heading, operations, groups: inner }) => [
      ...(operations.length > 0 ? [`### ${heading}\n\n${operations.map(entry).join('\n')}`] : []),
      ...sections(inner),
    ]);
  return `# ${title}

> ${summary}

The API is at ${document.servers[0]?.url}.

## Reference

- [The whole reference in Markdown](${at('/docs.md')}): authentication, limits, errors, every operation with samples
- [OpenAPI as JSON](${at('/openapi.json')}), [as YAML](${at('/openapi.yaml')}): the contract

## Packages

${packageList(contract)}

## Operations

${sections(groupsOf(document)).join('\n\n')}
`;
}

/** The docs page in Markdown. */
export function renderMarkdown(contract: Contract, document: Document): string {
  const { title, version, summary = '', description = '' } = document.info;
  const known = headersOf(document);
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `### ${name}\n\n${meaningOf(schema)}\n\n${fields('Field', rowsOf(document, schema))}`,
  );
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).map(
    ([name, { description: meaning = '' }]) => `- \`${name}\`: ${meaning}`,
  );
  const text = [
    `# ${title} ${version}\n\n${summary}\n\n${description}`,
    `## Servers\n\n${document.servers.map(({ url, description: of = '' }) => `- ${of}: ${url}`).join('\n')}`,
    `## Packages\n\n${packageList(contract)}`,
    `## Security schemes\n\n${schemes.join('\n')}`,
    `## Plans\n\n${table(
      ['Plan', 'Requests per minute', 'Requests per day'],
      Object.values(document['x-rate-limit-plans'] ?? {}).map(({ name, perMinute, perDay }) => [
        name,
        perMinute,
        perDay,
      ]),
    )}`,
    `## Error codes\n\n${table(
      ['Code', 'Status', 'Meaning'],
      Object.entries(document['x-error-codes'] ?? {}).map(([code, { status, description: of }]) => [
        `\`${code}\``,
        status,
        of,
      ]),
    )}`,
    ...groupsOf(document).map((group) => renderGroup(document, group, known, '##')),
    `## Response headers\n\nEvery response has those marked so.\n\n${fields(
      'Header',
      [...known.values()].map((row) => ({
        ...row,
        meaning: `${row.meaning}${row.everywhere ? ' In every response.' : ''}`,
      })),
    )}`,
    `## Schemas\n\n${schemas.join('\n\n')}`,
  ].join('\n\n');
  return `${text.replaceAll('](#', `](${originOf(document)}/docs#`).replace(/\n{3,}/g, '\n\n')}\n`;
}

const packageList = (contract: Contract) =>
  packagesOf(contract)
    .map(({ name, does }) => `- \`${name}\` ${does}`)
    .join('\n');

type Headers = ReturnType<typeof headersOf>;

function renderGroup(
  document: Document,
  { title, description = '', operations, groups }: Group,
  known: Headers,
  level: string,
): string {
  return [
    `${level} ${title}\n\n${description}`,
    ...operations.map((each) => renderOperation(document, each, known, `${level}#`)),
    ...groups.map((each) => renderGroup(document, each, known, `${level}#`)),
  ].join('\n\n');
}

function renderOperation(document: Document, operation: Operation, known: Headers, level: string): string {
  const {
    method,
    path,
    title,
    operationId,
    description = '',
    parameters,
    requestBody,
    responses,
  } = operation;
  const notes = [
    operation['x-answers-from-example'] && 'answers from an example',
    operation['x-stability'],
    operation.deprecated && 'deprecated',
    operation['x-deprecated-sunset'] && `goes away on ${operation['x-deprecated-sunset']}`,
  ].filter(Boolean);
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => {
    const rows = rowsOf(document, schema, 'readOnly');
    return `Body${requestBody?.required ? '' : ' (optional)'}, \`${type}\`: ${typeOf(schema)}. ${meaningOf(schema)}\n\n${fields('Field', rows)}`;
  });
  const answers = Object.entries(responses).map(([status, response]) => {
    const { description: of, content = {}, 'x-error-codes': codes = [] } = response;
    const types = Object.entries(content).map(([type, { schema }]) => ` \`${type}\`: ${typeOf(schema)}.`);
    const special = specialHeaders(known, response).map(({ name }) => `\`${name}\``);
    const [errors, headers] = [codes.map((code) => `\`${code}\``).join(' or '), special.join(', ')];
    return `- **${status}** ${line(of)}${errors && ` Code: ${errors}.`}${types.join('')}${headers && ` Headers: ${headers}.`}`;
  });
  const examples = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status < '300' && content['application/json']
      ? [[status, exampleOf(document, content['application/json'], { view: 'response' })]]
      : [],
  );
  return [
    `${level} ${title}`,
    `\`${method} ${path}\`, operationId \`${operationId}\`${notes.length > 0 ? `, **${notes.join(', ')}**` : ''}. Needs: ${securityOf(operation)}.`,
    description,
    fields(
      'Parameter',
      parameters.map((each) => ({ ...rowOf(each.name, each), type: `${typeOf(each.schema)}, ${each.in}` })),
    ),
    ...bodies,
    answers.join('\n'),
    ...examples.map(
      ([status, value]) =>
        `Example of ${String(status)}:\n\n${fence('json', JSON.stringify(value, undefined, 2))}`,
    ),
    ...(operation['x-codeSamples'] ?? []).map(
      ({ lang, label, source }) => `${label}:\n\n${fence(lang, source)}`,
    ),
  ].join('\n\n');
}

const originOf = ({ servers }: Document) => new URL(servers[0]?.url ?? '').origin;
const fence = (lang: string, text: string) => `\`\`\`${lang}\n${text}\n\`\`\``;
const line = (text: string) => text.trim().replace(/\s+/g, ' ');

function fields(what: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  return table(
    [what, 'Type', 'Meaning'],
    rows.map(({ name, type, required, meaning }) => [
      `\`${name}\`${required ? ', required' : ''}`,
      type,
      meaning,
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const row = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => line(String(cell)).replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}
