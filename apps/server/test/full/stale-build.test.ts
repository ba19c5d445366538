import { spawnSync } from 'node:child_process';
import { copyWorkspace } from '../support/workspace.ts';

// It builds a copy of the workspace.
jest.setTimeout(600_000);

test('the petstore command of a checkout builds what is missing or stale, and else starts at once', () => {
  const { folder, edit } = copyWorkspace();
  const help = () => {
    const command = ['apps/server/bin/petstore.js', '--help'];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
    return { stdout, isBuilt: stderr.includes('petstore: building') };
  };
  expect(help().isBuilt).toBe(true);
  expect(help().isBuilt).toBe(false);
  edit('apps/server/src/cli/program.ts', (text) => text.replace('what its operator does', 'what is new'));
  expect(help()).toEqual({ stdout: expect.stringContaining('what is new') as string, isBuilt: true });
  edit('openapi.yaml', (text) => `${text}# changed\n`);
  expect(help().isBuilt).toBe(true);
  expect(help().isBuilt).toBe(false);
});
