import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { pathOf } from '../index.ts';

interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

/** One Chromium for the surrounding tests. Each visit has a fresh profile, and closes the one before. */
export function useBrowser() {
  let browser: Browser;
  let context: BrowserContext | undefined;
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
  });

  beforeEach(() => void problems.splice(0));

  afterAll(() => browser.close());

  async function visit(url: string, look: Look = {}): Promise<Page> {
    const { width = 1440, colorScheme = 'light', javaScriptEnabled = true } = look;
    await context?.close();
    context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width, height: 720 },
      colorScheme,
      javaScriptEnabled,
    });
    const page = await context.newPage();
    const { origin } = new URL(url);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) problems.push(request.url());
    });
    await page.goto(url);
    return page;
  }
  return { visit, problems };
}
