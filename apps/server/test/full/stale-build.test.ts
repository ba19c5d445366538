import { spawnSync } from 'node:child_process';
import { copyWorkspace } from '../support/workspace.ts';

// It builds a copy of the workspace.
jest.setTimeout(600_000);

test.each([
  ['petstore', 'apps/server/bin/service.js', 'apps/server/src/petstore.ts', "its operator's commands"],
  [
    'petstore-mcp',
    'packages/mcp/bin/petstore-mcp.js',
    'packages/mcp/src/main.ts',
    'leave out the operations',
  ],
])(
  '%s in a checkout builds if the build is missing or stale, otherwise starts at once',
  (name, bin, source, text) => {
    const { folder, edit } = copyWorkspace();
    const help = () => {
      const command = [bin, '--help'];
      const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
      return { stdout, isBuilt: stderr.includes(`${name}: building`) };
    };
    expect(help().isBuilt).toBe(true);
    expect(help().isBuilt).toBe(false);
    edit(source, (before) => before.replace(text, 'what is new'));
    expect(help()).toEqual({ stdout: expect.stringContaining('what is new') as string, isBuilt: true });
    edit('packages/kit/server/src/command/program.ts', (before) => `${before}// changed\n`);
    expect(help().isBuilt).toBe(name === 'petstore');
    edit('openapi.yaml', (before) => `${before}# changed\n`);
    expect(help().isBuilt).toBe(true);
    expect(help().isBuilt).toBe(false);
  },
);
