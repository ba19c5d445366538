import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { Contract } from '@contract-kit/core';
import { readModel } from '@contract-kit/core/model';
import { listen } from '@contract-kit/test-support/testing';
import { assets } from '../../src/docs/docs-assets.ts';
import { renderPage } from '../../src/docs/html/page.ts';
import { servedAt } from '../../src/docs/served.ts';

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe reports for the current page, or for a part of it. */
export async function faultsOf(page: Page, part = 'html'): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run('${part}', { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
  );
}

export const openAll = (page: Page) =>
  page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);

export const answer = (page: Page, id = 'cancelLoan') => page.locator(`#${id} .answer`);

/** Enters the key, fills in the form that cancels a loan, and submits it up to the confirmation. */
export async function askToCancel(page: Page, loanId: string, key: string): Promise<void> {
  await openAll(page);
  await page.locator('#cancelLoan').getByLabel('Key').fill(key);
  await page.locator('#cancelLoan').getByLabel('loanId').fill(loanId);
  await page.locator('#cancelLoan').getByRole('button', { name: 'Send' }).click();
}

export async function cancel(page: Page, loanId: string, key: string): Promise<void> {
  await askToCancel(page, loanId, key);
  await page.getByRole('dialog').getByRole('button', { name: 'Send the request' }).click();
}

export function pageOf(contract: Contract, place?: string): string {
  const subject = { contract, model: readModel(contract.document) };
  return renderPage(servedAt(subject, { url: 'https://api.example/v1', description: 'This server' }), place);
}

/** As the service sends it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves pages with their files; `other` gets all other requests. Resolves to the origin. */
export const servePages = (pageAt: (place: string) => string | undefined, other?: RequestListener) =>
  listen((request, response) => {
    const asset = Object.values(assets).find(({ url }) => url === request.url);
    const html = asset ? undefined : pageAt(request.url ?? '');
    if (asset) response.setHeader('Content-Type', asset.type).end(asset.bytes);
    else if (html)
      response.setHeader('Content-Type', 'text/html').setHeader('Content-Security-Policy', POLICY).end(html);
    else other?.(request, response);
  });
