import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readModel } from '@contract-kit/core/model';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { renderPage } from '../src/docs/html/page.ts';
import { renderMarkdown } from '../src/docs/markdown/page.ts';
import { hitsIn, readIndex } from '../src/docs/browser/search-hits.js';
import { titleOf, webhookId } from '../src/docs/openapi.ts';
import { referenceOf } from '../src/docs/reference.ts';
import { searchIndexOf } from '../src/docs/search/search-index.ts';
import { servedAt } from '../src/docs/served.ts';
import { factsOf, schemaFacts, type Fact } from './support/facts.ts';

const folder = path.join(import.meta.dirname, '../../../test-support/kitchen-sink');

describe.each(readdirSync(folder))('of the kitchen sink %s', (file) => {
  const contract = contractFrom(readFileSync(path.join(folder, file), 'utf8'));
  const model = readModel(contract.document);
  const served = servedAt({ contract, model }, { url: 'https://api.example/v1' });
  const pages = ['/docs', ...new Set(referenceOf(served).homes.values())];
  const html = pages.map((place) => renderPage(served, place)).join('\n');
  const markdown = renderMarkdown(served);
  const components = Object.entries(served.document.components?.schemas ?? {});

  test('the page shows every fact', () => {
    const parts = new Map(
      [...html.matchAll(/<(article|section) id="([^"]+)"[\s\S]*?(?=<(?:article|section) id=|<\/main>)/g)].map(
        ([part, , id = '']) => [id, blocksOf(part)],
      ),
    );
    const missing = (id: string, facts: Fact[]) => missingIn(parts.get(id) ?? [], facts);
    expect([
      ...model.operations.flatMap((operation) => missing(operation.id, factsOf(model, operation))),
      ...components.flatMap(([name, schema]) =>
        missing(`schema-${name}`, schemaFacts(model.schemas, schema)),
      ),
      ...model.webhooks.flatMap((webhook) => missing(webhookId(webhook), factsOf(model, webhook))),
    ]).toEqual([]);
  });

  test('the Markdown has every fact', () => {
    const starts = [...markdown.matchAll(/^#+ .*$/gm)];
    const parts = starts.map(({ index }, place) =>
      markdown
        .slice(index, starts[place + 1]?.index)
        .replaceAll('\\|', '|')
        .split(/\n(?!\s)/),
    );
    const operationAt = (id: string) =>
      parts.find((lines) => lines.some((line) => line.includes(`operationId \`${id}\``))) ?? [];
    const schemaAt = (name: string) => parts.findLast(([heading]) => heading?.trim() === `### ${name}`) ?? [];
    expect([
      ...model.operations.flatMap((operation) =>
        missingIn(operationAt(operation.definition.operationId ?? operation.id), factsOf(model, operation)),
      ),
      ...components.flatMap(([name, schema]) =>
        missingIn(schemaAt(name), schemaFacts(model.schemas, schema)),
      ),
      ...model.webhooks.flatMap((webhook) =>
        missingIn(
          parts.find(([, ...lines]) => lines.some((line) => line.includes(`webhook \`${webhook.path}\``))) ??
            [],
          factsOf(model, webhook),
        ),
      ),
    ]).toEqual([]);
  });

  test('search finds every operation by all that has a name', () => {
    const index = readIndex(searchIndexOf(served), contract.basePath);
    const isFound = (id: string, query: string) => hitsIn(index, query).some(({ entry }) => entry.id === id);
    const named = model.operations.flatMap((operation) => {
      const { id, method, path, parameters, responses, security } = operation;
      return [
        ...[id, path, `${method} ${path}`, titleOf(operation), ...parameters.map(({ name }) => name)],
        ...responses.flatMap(({ codes = [] }) => codes),
        ...security.flat().flatMap(({ scopes }) => scopes),
        ...factsOf(model, operation).flatMap(
          ({ about }) => /(?:body|response 2\d\d) field (\S+)$/.exec(about)?.[1] ?? [],
        ),
      ].map((query) => ({ id, query }));
    });
    expect(named.filter(({ id, query }) => !isFound(id, query))).toEqual([]);
    const parts = [
      ...components.map(([name]) => name),
      ...[...model.schemes.values()].flatMap((scheme) => scopesOf(scheme as object)),
      ...model.webhooks.map(titleOf),
    ];
    expect(parts.filter((name) => hitsIn(index, name).length === 0)).toEqual([]);
  });
});

/** The scopes that a scheme declares. */
function scopesOf({ flows = {} }: { readonly flows?: object }): string[] {
  return Object.values(flows as Record<string, { scopes?: object }>).flatMap(({ scopes = {} }) =>
    Object.keys(scopes),
  );
}

function missingIn(blocks: readonly string[], facts: Fact[]): string[] {
  const plain = blocks.map((block) => block.replaceAll(/\s+/g, ' '));
  return facts
    .filter(
      ({ texts }) =>
        !plain.some((block) => texts.every((text) => block.includes(text.replaceAll(/\s+/g, ' ')))),
    )
    .map(({ about, texts }) => `${about}: ${texts.join(', ')}`);
}

/** The texts of a part of the page, row by row. */
function blocksOf(part: string): string[] {
  return part.split(/<\/(?:tr|p|li|pre|summary|h[1-6]|label)>/).map((block) =>
    block
      .replace(/<wbr>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  );
}
