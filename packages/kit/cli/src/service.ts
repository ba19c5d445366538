import { readFile } from 'node:fs/promises';
import type { ServiceNames } from '@contract-kit/core';
import { isObject } from '@contract-kit/core/json';
import { CommandError } from './command.ts';
import { serviceFile } from './workspace.ts';

/** The settings of a project in service.json. */
export interface ServiceSettings {
  readonly names: ServiceNames;
  /** The house rules of its contract. */
  readonly rules: readonly string[];
}

/** Reads service.json, as `serviceIn` does. */
export async function readService(known: readonly string[]): Promise<ServiceSettings> {
  return serviceIn(await readFile(serviceFile, 'utf8'), known);
}

/**
 * The settings in the text of service.json. Throws a CommandError for a name that cannot be used everywhere, an unknown rule,
 * or a published package without its name or registry.
 */
export function serviceIn(text: string, known: readonly string[]): ServiceSettings {
  const { rules = [], ...service } = JSON.parse(text) as ServiceNames & {
    readonly rules?: readonly string[];
  };
  const { name, keyPrefix, databaseFile, published } = service;
  const unknown = rules.filter((rule) => !known.includes(rule));
  const problems = [
    [/^[a-z][a-z0-9-]*$/.test(name), '"name" must be lower-case letters, digits and hyphens'],
    [/^[A-Za-z0-9]+_$/.test(keyPrefix), '"keyPrefix" must be letters and digits, then an underscore'],
    [/^[\w.-]+\.db$/.test(databaseFile), '"databaseFile" must be the name of a .db file'],
    [unknown.length === 0, `"rules" may be ${known.join(', ')}: not ${unknown.join(', ')}`],
    ...(published === undefined ? [] : publishedProblems(published)).map((problem) => [false, problem]),
  ].flatMap(([isRight, problem]) => (isRight ? [] : [`service.json: ${String(problem)}`]));
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return { names: { name, keyPrefix, databaseFile, ...(published && { published }) }, rules };
}

const PACKAGES = ['client', 'mcp'];

/** What is wrong with the packages that are said to be published. */
function publishedProblems(published: unknown): string[] {
  if (!isObject(published)) return [`"published" must be an object with ${PACKAGES.join(' or ')}`];
  return Object.entries(published).flatMap(([key, value]) => {
    if (!PACKAGES.includes(key)) return `"published" may have ${PACKAGES.join(' and ')}: not ${key}`;
    const { name, registry, ...others } = isObject(value) ? value : {};
    const problems: [boolean, string][] = [
      [
        typeof name === 'string' && /^(@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/.test(name),
        'needs "name", the name of the package in the registry, such as "@shop/client"',
      ],
      [isRegistry(registry), 'needs "registry", its https address, such as "https://registry.example"'],
      [
        Object.keys(others).length === 0,
        `may have "name" and "registry": not ${Object.keys(others).join(', ')}`,
      ],
    ];
    return problems.flatMap(([isRight, problem]) => (isRight ? [] : `"published.${key}" ${problem}`));
  });
}

/** Whether npm can install from there. The website of npm's registry has pages of packages, and none to install. */
function isRegistry(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { protocol, host, search, hash, username } = new URL(address);
  return protocol === 'https:' && search + hash + username === '' && !/^(www\.)?npmjs\.(com|org)$/.test(host);
}
