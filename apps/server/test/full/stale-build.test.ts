import { spawnSync } from 'node:child_process';
import { copyWorkspace } from '../support/workspace.ts';

// It builds a copy of the workspace.
jest.setTimeout(600_000);

test.each([
  ['petstore', 'apps/server/bin/service.js', 'apps/server/src/petstore.ts', "its operator's commands"],
  // Its help is generated.
  ['petstore-mcp', 'packages/mcp/bin/petstore-mcp.js', 'packages/kit/mcp/src/tools.ts', undefined],
])('%s in a checkout builds only if the build is missing or stale', (name, bin, source, text) => {
  const { folder, edit } = copyWorkspace();
  const help = () => {
    const command = [bin, '--help'];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
    return { stdout, isBuilt: stderr.includes(`${name}: building`) };
  };
  expect(help().isBuilt).toBe(true);
  expect(help().isBuilt).toBe(false);
  edit(source, (before) => (text ? before.replace(text, 'what is new') : `${before}// changed\n`));
  const shown = expect.stringContaining(text ? 'what is new' : name) as string;
  expect(help()).toEqual({ stdout: shown, isBuilt: true });
  edit('packages/kit/server/src/command/program.ts', (before) => `${before}// changed\n`);
  expect(help().isBuilt).toBe(name === 'petstore');
  edit('openapi.yaml', (before) => `${before}# changed\n`);
  expect(help().isBuilt).toBe(true);
  expect(help().isBuilt).toBe(false);
});
