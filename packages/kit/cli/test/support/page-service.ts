import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commandsOf, newFolder } from '@contract-kit/test-support/testing';
import { parseContract } from '@contract-kit/core/openapi';
import { root } from '../../src/workspace.ts';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { compileIn } from '../../src/check/compile.ts';
import { inFolder } from './service-folder.ts';

/* The snippets of a page in docs/guide/, as a service in another process. */

/** The code of a page in a language. */
export function snippetsIn(page: string, language: string): string[] {
  const text = readFileSync(path.join(root, `docs/guide/${page}.md`), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
}

export interface Started {
  readonly folder: string;
  /** Of programs that use the client. */
  readonly env: Record<string, string>;
  readonly key: string;
  readonly origin: string;
  readonly stdout: () => string;
  /** Ends the service with `signal`, and starts it again at the same address. */
  readonly restart: (signal: NodeJS.Signals) => Promise<void>;
}

/** The service of a page, with its client. `own` are its files, `settings` its environment. */
export async function withPage(
  page: string,
  name: string,
  own: Readonly<Record<string, string>>,
  work: (started: Started) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const [contract = ''] = snippetsIn(page, 'yaml');
  const names = { name, keyPrefix: `${name}_`, databaseFile: 'store.db' };
  const sources = await sourcesOf(checkedOf(parseContract(contract), names));
  const files = Object.entries(own).map(([file, code]) => {
    const up = '../'.repeat(file.split('/').length - 1) || './';
    return [
      file,
      code
        .replace(`@${name}/contract`, `${up}contract.ts`)
        .replace(`@${name}/client/testing`, `${up}testing.ts`)
        .replace(`@${name}/client`, `${up}index.ts`),
    ];
  });
  await inFolder({ ...sources, ...(Object.fromEntries(files) as Record<string, string>) }, async (folder) => {
    expect(await compileIn(folder)).toBeUndefined();
    const command = commandsOf(name, ['--import', 'tsx', path.join(folder, 'main.ts')]);
    const options = { dataDir: newFolder(), env: { LOG_LEVEL: 'info', ...settings } };
    const { key } = await command.json<{ key: string }>(['keys', 'create', '--name', 'a'], options);
    let served = await command.serve(options);
    const { origin } = served;
    const restart = async (signal: NodeJS.Signals) => {
      await served.kill(signal);
      served = await command.serve(options, ['--port', new URL(origin).port]);
    };
    const variable = name.toUpperCase();
    const env = {
      PATH: process.env['PATH'] ?? '',
      [`${variable}_API_KEY`]: key,
      [`${variable}_BASE_URL`]: origin,
    };
    await work({ folder, env, key, origin, stdout: () => served.output.stdout, restart });
    await served.kill('SIGTERM');
  });
}

export const mainOf = (
  name: string,
  features: string,
  imports: string,
) => `import { defineService, runCommand } from '@contract-kit/server';
import { contract } from './contract.ts';
${imports}
await runCommand(defineService(contract, ${features}, { version: '1.0.0', description: '${name}.' }));
`;

/** The snippets of a page in TypeScript, by the file that their first line names. */
export const namedIn = (page: string) =>
  Object.fromEntries(
    snippetsIn(page, 'ts').map((code) => {
      const [, file = 'client.ts', rest = code] = /^\/\/ (\S+)\n([^]*)/.exec(code) ?? [];
      return [file, rest];
    }),
  ) as Record<string, string>;
