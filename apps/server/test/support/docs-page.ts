import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe reports for the current page. */
export async function faultsOf(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
  );
}

export const openAll = (page: Page) =>
  page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);

export const answer = (page: Page, id = 'cancelOrder') => page.locator(`#${id}`).getByRole('status');

/** Enters the key, fills in the form that cancels an order, and submits it up to the confirmation. */
export async function askToCancel(page: Page, orderId: string, key: string): Promise<void> {
  await openAll(page);
  await page.locator('#cancelOrder').getByLabel('Key').fill(key);
  await page.locator('#cancelOrder').getByLabel('orderId').fill(orderId);
  await page.locator('#cancelOrder').getByRole('button', { name: 'Send' }).click();
}

export async function cancel(page: Page, orderId: string, key: string): Promise<void> {
  await askToCancel(page, orderId, key);
  await page.getByRole('dialog').getByRole('button', { name: 'Send the request' }).click();
}
