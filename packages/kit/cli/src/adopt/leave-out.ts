import { rm } from 'node:fs/promises';
import path from 'node:path';

/** The files of this repository's service, which are not part of the kit. */
const LEFT_OUT = [
  ...['.ci', '.github', 'apps/end-to-end', 'bench', 'deploy', 'docs/decisions', 'docs/images'],
  ...['conformance', 'tracing'].map((name) => `docs/${name}.md`),
  // A baseline is that of the first release.
  'openapi.released.yaml',
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'],
  ...['src', 'test', 'CHANGELOG.md', 'README.md'].map((name) => `apps/server/${name}`),
  ...['client', 'contract', 'mcp'].flatMap((folder) =>
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'test'].map((name) => `packages/${folder}/${name}`),
  ),
  ...['packages/client/src', 'packages/contract/src', 'packages/mcp/src'],
  ...['scripts/cluster.ts', 'scripts/lint-words.mjs', 'scripts/lint-commands.mjs'],
];

export async function leaveOut(folder: string): Promise<void> {
  for (const name of LEFT_OUT) await rm(path.join(folder, name), { recursive: true, force: true });
}
