import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import type { Repository } from '../support/repository.ts';

/* Changes that an adopter tries in the repository of examples/invoicing. Each is taken back. */

export function describeChanges(repositoryOf: () => Repository): void {
  const npm: Repository['npm'] = (...args) => repositoryOf().npm(...args);
  const file = (name: string) => repositoryOf().file(name);

  /** Runs `work` on the repository after `change` of a file. */
  async function changed(name: string, change: (text: string) => string, work: () => Promise<void>) {
    const before = readFileSync(file(name), 'utf8');
    repositoryOf().edit(name, change);
    try {
      await work();
    } finally {
      repositoryOf().edit(name, () => before);
    }
  }

  test('a draft may change, and after its release a version that is a date must change', async () => {
    const rename = (text: string) => text.replace('operationId: getAging', 'operationId: getAges');
    const diff = () => npm('run', '--silent', 'contract:diff');
    await changed('openapi.yaml', rename, async () => {
      expect(await diff()).toMatch(/^Nothing is released yet/);
    });
    // As `npm run release` leaves it.
    copyFileSync(file('openapi.yaml'), file('openapi.released.yaml'));
    await changed('openapi.yaml', rename, async () => {
      await expect(diff()).rejects.toThrow('info.version stays 2026-11-01, but the contract has changed');
      await changed(
        'openapi.yaml',
        (text) => text.replace('2026-11-01', '2026-12-01'),
        async () => void expect(await diff()).toContain('Major: breaks clients that work today'),
      );
    });
    rmSync(file('openapi.released.yaml'));
  });

  test('an operation that two features handle does not compile', async () => {
    await changed(
      'apps/server/src/features.ts',
      (text) => text.replace('};', '  clients: customersFeature,\n};'),
      () => expect(npm('run', 'typecheck')).rejects.toThrow(/handledTwice/),
    );
  });
}
