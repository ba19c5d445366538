import { codeText } from './fields.ts';
import { introductionOf, legalText, packagesOf, serversText } from './introduction.ts';
import { exampleText, fence, joined, line, linkTo } from './blocks.ts';
import { successOf, titleOf, webhookId, type Operation } from '../openapi.ts';
import {
  aboutOperation,
  bodyExamplesOf,
  everyResponseText,
  examplesOf,
  headersOf,
  inputsOf,
  notesOf,
  responseText,
  schemaTexts,
} from './operation-text.ts';
import { referenceOf, type Group, type Reference } from '../reference.ts';
import { samplesOf } from '../samples.ts';
import { securityText } from './security-text.ts';
import type { Served } from '../served.ts';
import { callbacksIn, callbacksText, WEBHOOKS, webhookText } from './webhook-text.ts';

/* The reference in Markdown, for agents, terminals and other tools. */

/** An index of the documentation (llmstxt.org). */
export function renderIndex(served: Served): string {
  const { document } = served;
  const { title, summary } = document.info;
  const reference = referenceOf(served);
  const { groups, homes, model } = reference;
  const { origin } = new URL(document.servers[0]?.url ?? '');
  const entry = (operation: Operation) => {
    const { id, method, path, definition } = operation;
    const link = `[${titleOf(operation)}](${origin}${homes.get(id)}#${id})`;
    return `- ${link}: \`${method} ${path}\`${definition.deprecated ? ', deprecated' : ''}`;
  };
  const webhooks = model.webhooks.map(
    (webhook) =>
      `- [${titleOf(webhook)}](${origin}${homes.get(webhookId(webhook))}#${webhookId(webhook)}): \`${webhook.method}\` as \`${webhook.path}\``,
  );
  const callbacks = model.operations.flatMap((operation) =>
    callbacksIn(reference, operation).map(
      ({ callback: { name, expression }, request }) =>
        `- [${name}](${origin}${homes.get(operation.id)}#${operation.id}), because of ${titleOf(operation)}: \`${request.method} ${expression}\``,
    ),
  );
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
    chapter('## Webhooks', webhooks.join('\n')),
    chapter('## Callbacks', callbacks.join('\n')),
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
    legalText(document),
    chapter('## Servers', serversText(document.servers)),
    chapter('## Client and tools', packagesOf(served)),
    ...sections.map((section) => `## ${section.title}\n\n${section.text}`),
    ...reference.groups.map((group) => renderGroup(reference, group, '##')),
    chapter('## Webhooks', renderWebhooks(reference)),
    chapter('## Response headers', headersOf(reference)),
    chapter('## Schemas', schemas.join('\n\n')),
  ]);
  // Links to the page's own places lead nowhere here. Those of the author stay.
  const ofPage = /\[([^\]]+)\]\(#(?:schema|error|header|scheme|scope)-[^)]+\)|\[(`([^`]+)`)\]\(#\3\)/g;
  return `${text.replace(ofPage, '$1$2')}\n`;
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
  const { method, path, definition } = operation;
  const notes = notesOf(reference, operation).join(', ');
  return joined([
    `${level} ${titleOf(operation)}`,
    `\`${method} ${path}\`, operationId \`${definition.operationId}\`${notes && `, **${notes}**`}. Needs: ${securityText(reference, operation)}.`,
    aboutOperation(reference, operation),
    ...inputsOf(reference, operation).map((part) =>
      joined([chapter(`${part.title}:`, part.text), ...part.examples.map((example) => exampleText(example))]),
    ),
    chapter('Responses:', joined([responsesText(reference, operation), everyResponseText(reference)])),
    chapter('Callbacks:', callbacksText(reference, operation)),
    ...samplesOf(reference, operation).map(
      ({ lang, label, source }) => `${label}:\n\n${fence(lang, source)}`,
    ),
  ]);
}

/** Each response, in one line if its text has no tables, lists or code: most errors have none. */
function responsesText(reference: Reference, operation: Operation): string {
  const success = successOf(operation);
  return operation.responses.reduce((before, response) => {
    const { status, description } = response;
    const text = responseText(reference, response);
    const isShort = response !== success && !/^(?:[|-]|```)/m.test(joined([description, text]));
    const examples = examplesOf(reference, response).map((example) => {
      const { title, lang, text: shown = '' } = example;
      if (!isShort || example.description || example.url) return exampleText(example, ` of ${status}`);
      const inLine = lang === 'json' ? JSON.stringify(JSON.parse(shown)) : shown;
      return `Example${title && `, ${title}`}: ${codeText(inLine)}`;
    });
    const whole = joined([description, text, ...examples]);
    if (!isShort) return joined([before, `**${status}** ${whole}`]);
    const item = `- **${status}** ${line(whole)}`;
    return /(?:^|\n)- [^\n]*$/.test(before) ? `${before}\n${item}` : joined([before, item]);
  }, '');
}

function renderWebhooks(reference: Reference): string {
  const { webhooks } = reference.model;
  return joined([
    webhooks.length > 0 && WEBHOOKS,
    ...webhooks.map((webhook) =>
      joined([
        `### ${titleOf(webhook)}`,
        `\`${webhook.method}\`, webhook \`${webhook.path}\`.`,
        webhookText(reference, webhook),
        ...bodyExamplesOf(reference, webhook).map((example) => exampleText(example)),
      ]),
    ),
  ]);
}

/** Empty without text. */
const chapter = (heading: string, text: string) => (text ? `${heading}\n\n${text}` : '');
