import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readModel } from '@contract-kit/core/model';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { renderPage } from '../src/docs/html.ts';
import { renderMarkdown } from '../src/docs/markdown.ts';
import { referenceOf } from '../src/docs/reference.ts';
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
      ...model.operations.flatMap(({ id, definition }) =>
        missingIn(operationAt(definition.operationId ?? id), factsOf(model, model.operationOf.get(id)!)),
      ),
      ...components.flatMap(([name, schema]) =>
        missingIn(schemaAt(name), schemaFacts(model.schemas, schema)),
      ),
    ]).toEqual([]);
  });
});

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
