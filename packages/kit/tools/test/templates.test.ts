import { parseContract } from '../src/source-document.ts';
import { renderTemplates, templateValues } from '../src/generate/templates.ts';
import { contract } from './support/contract.ts';

/* Those of this repository's own service are its files, which `npm run generate -- --check` compares. */

test('rendered templates are named after the service, without unfilled placeholders', async () => {
  const names = { name: 'book-shop', keyPrefix: 'bks_', databaseFile: 'store.db' };
  const files = await renderTemplates('generated', templateValues(parseContract(contract), names));
  expect(Object.keys(files)).toContain('deploy/book-shop.service');
  const text = Object.values(files).join('\n');
  expect(text.match(/\{\{\w+\}\}/g)).toBeNull();
  expect(text).toContain('alert: BookShopDown');
  expect(text).toContain('rate(book_shop_requests_total[5m])');
  expect(text).toContain('(b|%62)(k|%6b)(s|%73)(_|%5f)');
});
