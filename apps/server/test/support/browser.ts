import { chromium, type Browser } from 'playwright-core';
import { chromiumPath } from '@petstore/local-stack';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      // Chromium has no sandbox for root, which is what containers run tests as.
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
}
