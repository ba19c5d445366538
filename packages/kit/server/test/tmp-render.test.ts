import { readFileSync, writeFileSync } from 'node:fs';
import { readModel } from '@contract-kit/core/model';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { renderPage } from '../src/docs/html.ts';
import { renderIndex, renderMarkdown } from '../src/docs/markdown.ts';
import { servedAt } from '../src/docs/served.ts';
import { createErrorBodies } from '../src/validation/error-bodies.ts';
test('x', () => {
  const contract = contractFrom(readFileSync(process.env['DOC']!, 'utf8'));
  const model = readModel(contract.document);
  const served = servedAt({ contract, model, errorBodies: createErrorBodies(model, (e) => ({ title: e.code, status: e.status, detail: e.message })) }, { url: 'https://api.example/v1' });
  writeFileSync('/tmp/ops/out.md', renderMarkdown(served));
  writeFileSync('/tmp/ops/out.html', renderPage(served));
  writeFileSync('/tmp/ops/llms.txt', renderIndex(served));
});
