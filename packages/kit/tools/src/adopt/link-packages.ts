import path from 'node:path';
import type { Renaming } from './manifests.ts';

/** The workspaces named after the service, which `npm ci` would link. */
const FOLDERS = ['packages/contract', 'packages/client', 'packages/mcp', 'apps/server'];

/** Names from the root, of what is removed and of links with their targets. */
export interface Links {
  readonly gone: readonly string[];
  readonly made: Readonly<Record<string, string>>;
}

/** The links in node_modules to the packages of the service, in place of those of the old name. */
export function packageLinks(root: string, { before, name }: Renaming): Links {
  const packages = FOLDERS.map((folder) => [
    `node_modules/@${name}/${path.basename(folder)}`,
    path.join(root, folder),
  ]);
  // npm writes scripts there on Windows; `npm run` finds these programs by their files.
  const programs =
    process.platform === 'win32'
      ? []
      : [
          [`node_modules/.bin/${name}`, `../@${name}/server/bin/service.js`],
          [`node_modules/.bin/${name}-mcp`, `../@${name}/mcp/bin/${name}-mcp.js`],
        ];
  return {
    gone: [`@${before}`, `.bin/${before}`, `.bin/${before}-mcp`].map((item) => `node_modules/${item}`),
    made: Object.fromEntries([...packages, ...programs]) as Record<string, string>,
  };
}
