import type { Contract } from '@kit/contract';
import { isJson } from '@kit/contract/media-type';
import { successOf, type Document, type Operation } from './openapi.ts';
import {
  meaningOf,
  packagesOf,
  referenceOf,
  responseExample,
  rowOf,
  rowsOf,
  schemeText,
  securityOf,
  specialHeaders,
  typeOf,
  type Group,
  type Reference,
  type Row,
} from './reference.ts';

/* The reference as text, for agents, terminals and other tools. */

/** An index of the documentation (llmstxt.org). */
export function renderIndex(contract: Contract, document: Document): string {
  const { title, summary } = document.info;
  const { groups, homes } = referenceOf(contract, document);
  const at = (path: string) => originOf(document) + path;
  const entry = ({ id, title: text, method, path, deprecated }: Operation) =>
    `- [${text}](${at(`${homes.get(id)}#${id}`)}): \`${method} ${path}\`${deprecated ? ', deprecated' : ''}`;
  const sections = (inner: readonly Group[]): string[] =>
    inner.flatMap(({ title: heading, operations, groups: within }) => [
      chapter(`### ${heading}`, operations.map(entry).join('\n')),
      ...sections(within),
    ]);
  return joined([
    `# ${title}`,
    summary ? `> ${summary}` : '',
    `The API is at ${document.servers[0]?.url}.`,
    `## Reference

- [The whole reference in Markdown](${at('/docs.md')}): every operation, with samples
- [OpenAPI as JSON](${at('/openapi.json')}), [as YAML](${at('/openapi.yaml')}): the contract`,
    chapter('## Packages', packageList(contract)),
    '## Operations',
    ...sections(groups),
  ]);
}

export function renderMarkdown(contract: Contract, document: Document): string {
  const reference = referenceOf(contract, document);
  const { title, version, summary = '', description = '' } = document.info;
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `### ${name}\n\n${meaningOf(schema)}\n\n${fields('Field', rowsOf(document, schema))}`,
  );
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).map(
    ([name, scheme]) => `- \`${name}\`: ${schemeText(scheme)}`,
  );
  const plans = Object.values(document['x-rate-limit-plans'] ?? {});
  const codes = Object.entries(document['x-error-codes'] ?? {});
  const headers = [...reference.headers.values()].map((row) => ({
    ...row,
    meaning: `${row.meaning}${row.everywhere ? ' In every response.' : ''}`,
  }));
  const text = joined([
    `# ${title} ${version}`,
    summary,
    description,
    `## Servers\n\n${document.servers.map(({ url, description: of = '' }) => `- ${of}: ${url}`).join('\n')}`,
    chapter('## Packages', packageList(contract)),
    chapter('## Security schemes', schemes.join('\n')),
    chapter(
      '## Plans',
      table(
        ['Plan', 'Requests per minute', 'Requests per day'],
        plans.map(({ name, perMinute, perDay }) => [name, perMinute, perDay]),
      ),
    ),
    chapter(
      '## Error codes',
      table(
        ['Code', 'Status', 'Meaning'],
        codes.map(([code, { status, description: of }]) => [`\`${code}\``, status, of]),
      ),
    ),
    ...reference.groups.map((group) => renderGroup(reference, group, '##')),
    chapter('## Response headers', fields('Header', headers)),
    chapter('## Schemas', schemas.join('\n\n')),
  ]);
  return text.replace(
    /\]\(#([^)]+)\)/g,
    (_, id: string) => `](${originOf(document)}${reference.homes.get(id) ?? '/docs'}#${id})`,
  );
}

/** Empty without text. */
const chapter = (heading: string, text: string) => (text ? `${heading}\n\n${text}` : '');
const joined = (parts: readonly string[]) =>
  `${parts
    .filter(Boolean)
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n')}\n`;

const packageList = (contract: Contract) =>
  packagesOf(contract)
    .map(({ name, does }) => `- \`${name}\` ${does}`)
    .join('\n');

function renderGroup(
  reference: Reference,
  { title, description = '', operations, groups }: Group,
  level: string,
): string {
  return [
    `${level} ${title}\n\n${description}`,
    ...operations.map((operation) => renderOperation(reference, operation, `${level}#`)),
    ...groups.map((group) => renderGroup(reference, group, `${level}#`)),
  ].join('\n\n');
}

function renderOperation(reference: Reference, operation: Operation, level: string): string {
  const { document } = reference;
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
    operation['x-answers-from-example'] && 'example only',
    operation['x-stability'],
    operation.deprecated && 'deprecated',
    operation['x-deprecated-sunset'] && `removed on ${operation['x-deprecated-sunset']}`,
  ].filter(Boolean);
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) => {
    const rows = rowsOf(document, schema, 'readOnly');
    return `Body${requestBody?.required ? '' : ' (optional)'}, \`${type}\`: ${typeOf(schema)}. ${meaningOf(schema)}\n\n${fields('Field', rows)}`;
  });
  const answers = Object.entries(responses).map(([status, response]) => {
    const { description: of, content = {}, 'x-error-codes': codes = [] } = response;
    const types = Object.entries(content).map(([type, { schema }]) => ` \`${type}\`: ${typeOf(schema)}.`);
    const special = specialHeaders(reference, response).map(({ name }) => `\`${name}\``);
    const [errors, headers] = [codes.map((code) => `\`${code}\``).join(' or '), special.join(', ')];
    return `- **${status}** ${line(of)}${errors && ` Code: ${errors}.`}${types.join('')}${headers && ` Headers: ${headers}.`}`;
  });
  const [success, { content: shown = {} } = {}] = successOf(operation) ?? [];
  const examples = Object.entries(shown).map(
    ([type, media]) =>
      isJson(type) &&
      `Example of ${success}:\n\n${fence('json', JSON.stringify(responseExample(document, media), undefined, 2))}`,
  );
  return [
    `${level} ${title}`,
    `\`${method} ${path}\`, operationId \`${operationId}\`${notes.length > 0 ? `, **${notes.join(', ')}**` : ''}. Needs: ${securityOf(operation)}.`,
    description,
    fields(
      'Parameter',
      parameters.map((parameter) => ({
        ...rowOf(parameter.name, parameter),
        type: `${typeOf(parameter.schema)}, ${parameter.in}`,
      })),
    ),
    ...bodies,
    answers.join('\n'),
    ...examples.filter(Boolean),
    ...(operation['x-codeSamples'] ?? []).map(
      ({ lang, label, source }) => `${label}:\n\n${fence(lang, source)}`,
    ),
  ].join('\n\n');
}

const originOf = ({ servers }: Document) => new URL(servers[0]?.url ?? '').origin;
const fence = (lang: string, text: string) => `\`\`\`${lang}\n${text}\n\`\`\``;
const line = (text: string) => text.trim().replace(/\s+/g, ' ');

function fields(what: string, rows: readonly Row[]): string {
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
  if (rows.length === 0) return '';
  const row = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => line(String(cell)).replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}
