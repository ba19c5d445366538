// `npm run release`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isScalar, parseDocument } from 'yaml';
import { CommandError, runCommand, UsageError } from '../command.ts';
import { contractFile, releasedFolders, releasedName, root } from '../workspace.ts';
import { judge } from './gate.ts';
import { report } from './report.ts';
import { compareVersions, parseVersion } from './version.ts';

const USAGE = `Usage: npm run release -- VERSION

Makes the release VERSION, such as 1.1.0, from a clean working tree. It sets the version of the contract and of each
package, puts it over what is unreleased in each CHANGELOG.md, keeps openapi.yaml as ${releasedName}, packs each
public package as for publishing, commits and tags. It pushes and publishes nothing, and a failure changes nothing.

Exit codes: 0 released, 1 refused or failed, 2 wrong usage.`;

/** Runs a program in the root, and returns what it prints. Throws a CommandError if it fails. */
function run(command: string, ...args: string[]): string {
  const { status, stdout } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0)
    throw new CommandError(`${command} ${args.join(' ')} failed: nothing is released.\n${stdout}`);
  return stdout.trim();
}

const fileIn = (...names: string[]) => path.join(root, ...names);

/** Throws a CommandError if `version` may not follow the last release. Returns openapi.yaml with it. */
function contractWith(version: string): string {
  const contract = readFileSync(contractFile, 'utf8');
  const written = parseDocument(contract).getIn(['info', 'version'], true);
  if (!isScalar(written) || !written.range) throw new CommandError('openapi.yaml has no info.version');
  const [start, end] = written.range;
  // In a contract in JSON it needs its quotes.
  const [quote = ''] = /^["']/.exec(contract.slice(start)) ?? [];
  const next = contract.slice(0, start) + quote + version + quote + contract.slice(end);
  if (!existsSync(fileIn(releasedName))) return next;

  const verdict = judge(
    readFileSync(fileIn(releasedName), 'utf8'),
    next,
    new Date().toISOString().slice(0, 10),
  );
  const [from, to] = [verdict.versions.base, version].map(parseVersion);
  if (from && to && compareVersions(to, from) <= 0)
    throw new CommandError(`${version} does not follow ${verdict.versions.base}, which is released.`);
  console.log(report(verdict, releasedName));
  if (verdict.problems.length > 0) throw new CommandError(`The changes do not allow version ${version}.`);
  return next;
}

/** The unreleased changes get the version. A release without changes says so. */
function changelogWith(version: string, changelog: string): string {
  if (/^## Unreleased$/m.test(changelog)) return changelog.replace(/^## Unreleased$/m, `## ${version}`);
  return changelog.replace(/^## /m, `## ${version}\n\nNothing has changed here.\n\n## `);
}

function release(version: string): void {
  const tag = `v${version}`;
  if (run('git', 'status', '--porcelain') !== '')
    throw new CommandError('The working tree has changes. Commit or stash them first.');
  if (run('git', 'tag', '--list', tag) !== '') throw new CommandError(`The tag ${tag} exists already.`);
  const contract = contractWith(version);
  try {
    for (const name of ['openapi.yaml', releasedName]) writeFileSync(fileIn(name), contract);
    for (const file of releasedFolders.map((folder) => fileIn(folder, 'CHANGELOG.md')).filter(existsSync))
      writeFileSync(file, changelogWith(version, readFileSync(file, 'utf8')));
    run('npm', 'run', '--silent', 'generate');
    for (const folder of releasedFolders.filter(isPublic))
      console.log(run('npm', 'publish', '--dry-run', '--workspace', folder));
    run('git', 'add', '--all');
    run('git', 'commit', '--message', `Release ${version}`);
    run('git', 'tag', '--annotate', '--message', `Release ${version}`, tag);
  } catch (error) {
    run('git', 'add', '--all');
    run('git', 'reset', '--hard', '--quiet');
    throw error;
  }
  console.log(`\n${tag} is committed and tagged. To publish it: git push --follow-tags`);
}

function isPublic(folder: string): boolean {
  const manifest = fileIn(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { private?: boolean }).private !== true;
}

const main = (_: object, version = '') => {
  if (!parseVersion(version))
    throw new UsageError(`VERSION must be of the form 1.2.3: ${version || 'none was given'}`);
  release(version);
  return Promise.resolve(0);
};
process.exitCode = await runCommand(USAGE, {}, main, undefined, 1);
