import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { releasedFolders } from '../workspace.ts';
import type { Links } from './staging.ts';

type Json = Record<string, unknown>;

export interface Renaming {
  readonly before: string;
  readonly name: string;
}

const DEPENDENCIES = ['dependencies', 'devDependencies'];
/** Scripts of the files that are left out. */
const SCRIPTS = ['bench', 'cluster', 'fuzz', 'lint:words', 'lint:commands', 'test:full', 'wire:record'];

/** Names the packages after the service, in each package.json and in the paths of tsconfig.json. Returns these files. */
export async function renameManifests(
  folder: string,
  { before, name, title }: Renaming & { readonly title: string },
): Promise<string[]> {
  const renamed = (key: string) =>
    key.startsWith(`@${before}/`) ? `@${name}/${key.slice(before.length + 2)}` : key;
  const keysRenamed = (object: unknown) =>
    Object.fromEntries(Object.entries(object as Json).map(([key, value]) => [renamed(key), value]));

  async function edit(file: string, change: (json: Json) => Json): Promise<void> {
    const place = path.join(folder, file);
    const json = JSON.parse(await readFile(place, 'utf8')) as Json;
    await writeFile(place, `${JSON.stringify(change(json), undefined, 2)}\n`);
  }

  const manifest = (description: string, own: Json) => (json: Json) => {
    const kept = { ...json };
    for (const key of ['homepage', 'bugs']) delete kept[key];
    for (const key of DEPENDENCIES) if (kept[key]) kept[key] = keysRenamed(kept[key]);
    const scripts = Object.entries((kept['scripts'] ?? {}) as Record<string, string>)
      .filter(([key]) => key !== before && !SCRIPTS.includes(key))
      .map(([key, script]) => [key, script.replace(/ lint:(words|commands)/g, '')]);
    return {
      ...kept,
      description,
      license: 'UNLICENSED',
      ...(scripts.length > 0 && { scripts: Object.fromEntries(scripts) as Json }),
      ...own,
    };
  };

  const service = 'node apps/server/bin/service.js';
  await edit('package.json', (json) => {
    const changed = manifest(`${title}: the service, its client and its tools for agents.`, { name })(json);
    // The kit is tested where it is made.
    const test = 'turbo run test --filter=!@contract-kit/*';
    return { ...changed, scripts: { ...(changed['scripts'] as Json), service, test } };
  });
  const packages: [folder: string, description: string, own: Json][] = [
    ['packages/contract', `The contract of ${name}, generated: its types, and one value.`, {}],
    ['packages/client', `Typed fetch client of ${title}.`, {}],
    [
      'packages/mcp',
      `MCP server of ${title}: one tool for each operation of the API.`,
      { bin: { [`${name}-mcp`]: `bin/${name}-mcp.js` } },
    ],
    [
      'apps/server',
      `The ${name} service and its command.`,
      { bin: { [name]: 'bin/service.js' }, exports: { './package.json': './package.json' } },
    ],
  ];
  for (const [place, description, own] of packages) {
    const [, last = ''] = place.split('/');
    await edit(`${place}/package.json`, manifest(description, { ...own, name: `@${name}/${last}` }));
  }
  await edit('tsconfig.json', (json) => {
    const { compilerOptions } = json as { compilerOptions: Json };
    return { ...json, compilerOptions: { ...compilerOptions, paths: keysRenamed(compilerOptions['paths']) } };
  });
  return ['package.json', 'tsconfig.json', ...packages.map(([place]) => `${place}/package.json`)];
}

/** The links in node_modules to the packages of the service, in place of those of the old name. */
export function packageLinks(root: string, { before, name }: Renaming): Links {
  const packages = releasedFolders.map((folder) => [
    `@${name}/${path.basename(folder)}`,
    path.join(root, folder),
  ]);
  return {
    gone: [`@${before}`, `.bin/${before}`, `.bin/${before}-mcp`],
    made: {
      ...(Object.fromEntries(packages) as Record<string, string>),
      [`.bin/${name}`]: `../@${name}/server/bin/service.js`,
      [`.bin/${name}-mcp`]: `../@${name}/mcp/bin/${name}-mcp.js`,
    },
  };
}
