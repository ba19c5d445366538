import { chromium, type Browser, type Page } from 'playwright-core';
import { pathOf } from '@kit/local-stack';

interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

/** One Chromium for the surrounding tests. Each visit has a fresh profile. */
export function useBrowser() {
  let browser: Browser;
  let shared: Page;
  let origin: string;
  /** Console errors, policy violations, exceptions and requests to other origins in this test. */
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: pathOf('Chromium'),
      args: [
        // Chromium has no sandbox for root, the user of most containers.
        '--no-sandbox',
        '--disable-gpu',
        '--in-process-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    shared = await context.newPage();
    shared.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    shared.on('pageerror', (error) => problems.push(error.message));
    shared.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) problems.push(request.url());
    });
  });

  beforeEach(() => void problems.splice(0));

  afterAll(() => browser.close());

  async function visit(url: string, look: Look = {}): Promise<Page> {
    const { width = 1440, colorScheme = 'light', javaScriptEnabled = true } = look;
    const page = javaScriptEnabled ? shared : await browser.newPage({ javaScriptEnabled });
    await page.setViewportSize({ width, height: 720 });
    await page.emulateMedia({ colorScheme });
    ({ origin } = new URL(url));
    if (javaScriptEnabled) {
      const session = await page.context().newCDPSession(page);
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
      await session.detach();
    }
    // A new fragment alone does not reload the page.
    await page.goto('about:blank');
    await page.goto(url);
    return page;
  }
  return { visit, problems };
}
