import { describeWith } from '@contract-kit/test-support';
import type { Page } from 'playwright-core';
import { useBrowser } from '@contract-kit/test-support/browser';
import { answer, faultsOf, openAll } from '../support/docs-page.ts';
import { shared, until } from '@contract-kit/test-support/testing';
import { forever, handlersOf, listOf, streaming, then, type Returned } from '../library/streaming.ts';

const event = (n: number) => ({ event: 'count', id: String(n), data: { n } });

describeWith(['Chromium'], 'a stream on the docs page', () => {
  let body: Returned;
  const service = shared(() => streaming.startTestService({ handlers: handlersOf(() => body) }));
  const browser = useBrowser();

  async function send(): Promise<Page> {
    const page = await browser.visit(`${service.origin}/docs`);
    await openAll(page);
    await page
      .locator('#events')
      .getByLabel('Key')
      .fill(await service.unlimitedKey());
    await page.locator('#events').getByRole('button', { name: 'Send' }).click();
    return page;
  }

  test('is shown as it arrives, and ends with its button', async () => {
    let signal: AbortSignal | undefined;
    body = (_input, context) => then([event(1)], () => forever((signal = context.signal)));
    const page = await send();
    const shown = answer(page, 'events');
    await shown.getByText('event: count · id: 1').waitFor();
    expect(await shown.locator('li pre').innerText()).toBe('{\n  "n": 1\n}');
    expect(signal?.aborted).toBe(false);
    expect(await faultsOf(page, '#events')).toEqual([]);
    await shown.getByRole('button', { name: 'Stop' }).click();
    await shown.getByText('Stopped.').waitFor();
    await until(() => signal?.aborted === true);
    expect(await shown.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  test('that ends says so', async () => {
    body = () => listOf(event(1), event(2));
    const page = await send();
    await answer(page, 'events').getByText('The stream has ended.').waitFor();
    expect(await answer(page, 'events').locator('li small').allInnerTexts()).toEqual([
      'event: count · id: 1',
      'event: count · id: 2',
    ]);
  });
});
