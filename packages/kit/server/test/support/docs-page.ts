import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

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

export const answer = (page: Page, id = 'cancelLoan') => page.locator(`#${id}`).getByRole('status');

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
