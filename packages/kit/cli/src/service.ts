import { readFile } from 'node:fs/promises';
import type { ServiceNames } from '@contract-kit/core';
import { CommandError } from './command.ts';
import { serviceFile } from './workspace.ts';

/** The settings of a project in service.json. */
export interface ServiceSettings {
  readonly names: ServiceNames;
  /** The house rules of its contract. */
  readonly rules: readonly string[];
}

/** Reads service.json. Throws a CommandError for a name that cannot be used everywhere, or an unknown rule. */
export async function readService(known: readonly string[]): Promise<ServiceSettings> {
  const { rules = [], ...service } = JSON.parse(await readFile(serviceFile, 'utf8')) as ServiceNames & {
    readonly rules?: readonly string[];
  };
  const { name, keyPrefix, databaseFile } = service;
  const unknown = rules.filter((rule) => !known.includes(rule));
  const problems = [
    [/^[a-z][a-z0-9-]*$/.test(name), '"name" must be lower-case letters, digits and hyphens'],
    [/^[A-Za-z0-9]+_$/.test(keyPrefix), '"keyPrefix" must be letters and digits, then an underscore'],
    [/^[\w.-]+\.db$/.test(databaseFile), '"databaseFile" must be the name of a .db file'],
    [unknown.length === 0, `"rules" may be ${known.join(', ')}: not ${unknown.join(', ')}`],
  ].flatMap(([isRight, problem]) => (isRight ? [] : [`service.json: ${String(problem)}`]));
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  return { names: { name, keyPrefix, databaseFile }, rules };
}
