import type { Example } from './examples.ts';
import { introductionOf, packagesOf } from './introduction.ts';
import { indented, joined, linkTo } from './markdown-blocks.ts';
import { successOf, titleOf, type Operation } from './openapi.ts';
import { examplesOf, headersOf, inputsOf, notesOf, responseText, schemaTexts } from './operation-text.ts';
import { referenceOf, type Group, type Reference } from './reference.ts';
import { samplesOf } from './samples.ts';
import { securityText } from './security-text.ts';
import type { Served } from './served.ts';

/* The reference in Markdown, for agents, terminals and other tools. */

/** An index of the documentation (llmstxt.org). */
export function renderIndex(served: Served): string {
  const { document } = served;
  const { title, summary } = document.info;
  const { groups, homes } = referenceOf(served);
  const { origin } = new URL(document.servers[0]?.url ?? '');
  const entry = (operation: Operation) => {
    const { id, method, path, definition } = operation;
    const link = `[${titleOf(operation)}](${origin}${homes.get(id)}#${id})`;
    return `- ${link}: \`${method} ${path}\`${definition.deprecated ? ', deprecated' : ''}`;
  };
  const sections = (inner: readonly Group[]): string[] =>
    inner.flatMap(({ title: heading, operations, groups: within }) => [
      chapter(`### ${heading}`, operations.map(entry).join('\n')),
      ...sections(within),
    ]);
  const text = joined([
    `# ${title}`,
    summary && `> ${summary}`,
    `The API is at ${document.servers[0]?.url}.`,
    `## Reference

- [The whole reference in Markdown](${origin}/docs.md): every operation, with samples
- [OpenAPI as JSON](${origin}/openapi.json), [as YAML](${origin}/openapi.yaml): the contract`,
    chapter('## Client and tools', packagesOf(served)),
    '## Operations',
    ...sections(groups),
  ]);
  return `${text}\n`;
}

export function renderMarkdown(served: Served): string {
  const { document } = served;
  const reference = referenceOf(served);
  const { title, version, summary } = document.info;
  const { lead, sections } = introductionOf(served);
  const schemas = schemaTexts(served).map(({ name, text }) => `### ${name}\n\n${text}`);
  const text = joined([
    `# ${title} ${version}`,
    summary,
    lead,
    `## Servers\n\n${document.servers.map(({ url, name = '', description: of = name }) => `- ${of}: ${url}`).join('\n')}`,
    chapter('## Client and tools', packagesOf(served)),
    ...sections.map((section) => `## ${section.title}\n\n${section.text}`),
    ...reference.groups.map((group) => renderGroup(reference, group, '##')),
    chapter('## Response headers', headersOf(reference)),
    chapter('## Schemas', schemas.join('\n\n')),
  ]);
  // Links to the page's own places lead nowhere here. Those of the author stay.
  return `${text.replace(/\[([^\]]+)\]\(#(?:schema|error|header)-[^)]+\)/g, '$1')}\n`;
}

function renderGroup(reference: Reference, group: Group, level: string): string {
  const { title, description, externalDocs, operations, groups } = group;
  return joined([
    `${level} ${title}`,
    description,
    linkTo(externalDocs),
    ...operations.map((operation) => renderOperation(reference, operation, `${level}#`)),
    ...groups.map((inner) => renderGroup(reference, inner, `${level}#`)),
  ]);
}

function renderOperation(reference: Reference, operation: Operation, level: string): string {
  const { method, path, definition, responses } = operation;
  const { operationId, description, externalDocs } = definition;
  const notes = notesOf(reference, operation).join(', ');
  const answers = responses.map((response) => {
    const text = joined([response.description, responseText(reference, response)]);
    return `- **${response.status}** ${indented(text)}`;
  });
  const success = successOf(operation);
  const examples = success ? examplesOf(reference, success) : [];
  return joined([
    `${level} ${titleOf(operation)}`,
    `\`${method} ${path}\`, operationId \`${operationId}\`${notes && `, **${notes}**`}. Needs: ${securityText(operation)}.`,
    description,
    linkTo(externalDocs),
    ...inputsOf(reference, operation).map((part) =>
      joined([chapter(`${part.title}:`, part.text), ...part.examples.map((example) => exampleText(example))]),
    ),
    chapter('Responses:', answers.join('\n\n')),
    ...examples.map((example) => exampleText(example, ` of ${success?.status}`)),
    ...samplesOf(reference, operation).map(
      ({ lang, label, source }) => `${label}:\n\n${fence(lang, source)}`,
    ),
  ]);
}

function exampleText({ title, description, lang, text, url }: Example, of = ''): string {
  const shown = text === undefined ? `<${url}>` : fence(lang, text);
  return joined([`Example${of}${title && `, ${title}`}:`, description, shown]);
}

/** Empty without text. */
const chapter = (heading: string, text: string) => (text ? `${heading}\n\n${text}` : '');
const fence = (lang: string, text: string) => `\`\`\`${lang}\n${text}\n\`\`\``;
