import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isScalar, parse, parseDocument } from 'yaml';
import { CommandError, runCommand, UsageError, type Terminal } from '../command.ts';
import { contractFile, releasedFolders, releasedName, root } from '../workspace.ts';
import { inOneFile, openBelow, parseContract } from '@contract-kit/core/openapi';
import { judge } from '../diff/gate.ts';
import { report } from '../diff/report.ts';
import { compareVersions, parseVersion } from '../diff/version.ts';

const USAGE = `Usage: contract-kit release VERSION

Makes the release VERSION, such as 1.1.0 or 2026-03-01, from a clean working tree. It sets the version of the contract and of
each package, puts it over what is unreleased in each CHANGELOG.md, keeps the contract in one file as ${releasedName}, packs each
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

/** Throws a CommandError if `version` may not follow the last release. Returns openapi.yaml with it, and the release. */
function contractWith(version: string): { readonly next: string; readonly released: string } {
  const contract = readFileSync(contractFile, 'utf8');
  const written = parseDocument(contract).getIn(['info', 'version'], true);
  if (!isScalar(written) || !written.range)
    throw new CommandError('openapi.yaml has no info.version: write it there, not in another file.');
  const [start, end] = written.range;
  // In a contract in JSON it needs its quotes. Without them, YAML reads 1.0 as a number.
  const isText = typeof parse(version) === 'string';
  const [quote = isText ? '' : "'"] = /^["']/.exec(contract.slice(start)) ?? [];
  const next = contract.slice(0, start) + quote + version + quote + contract.slice(end);
  const revision = parseContract(next, (file) => openBelow(root, file), 'openapi.yaml');
  const result = { next, released: inOneFile(revision) };
  if (!existsSync(fileIn(releasedName))) return result;

  const base = parseContract(readFileSync(fileIn(releasedName), 'utf8'));
  const verdict = judge(base, revision, new Date().toISOString().slice(0, 10));
  const [from, to] = [verdict.versions.base, version].map((text) => parseVersion(text)?.numbers);
  if (verdict.versions.base === version || (from && to && compareVersions(to, from) <= 0))
    throw new CommandError(`${version} does not follow ${verdict.versions.base}, which is released.`);
  console.log(report(verdict, releasedName));
  if (verdict.problems.length > 0) throw new CommandError(`The changes do not allow version ${version}.`);
  return result;
}

/** The unreleased changes get the version. A release without changes says so. */
function changelogWith(version: string, changelog: string): string {
  if (/^## Unreleased$/m.test(changelog)) return changelog.replace(/^## Unreleased$/m, `## ${version}`);
  return changelog.replace(/^## /m, `## ${version}\n\nNothing has changed here.\n\n## `);
}

function release(version: string): void {
  const tag = version.startsWith('v') ? version : `v${version}`;
  if (run('git', 'status', '--porcelain') !== '')
    throw new CommandError('The working tree has changes. Commit or stash them first.');
  if (run('git', 'tag', '--list', tag) !== '') throw new CommandError(`The tag ${tag} exists already.`);
  const { next, released } = contractWith(version);
  try {
    writeFileSync(contractFile, next);
    writeFileSync(fileIn(releasedName), released);
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
  const further = existsSync(fileIn('.github/workflows/release.yml'))
    ? 'To publish it: git push --follow-tags'
    : 'To share it: git push --follow-tags. To run it: npm run package -- FOLDER';
  console.log(`\n${tag} is committed and tagged. ${further}`);
}

function isPublic(folder: string): boolean {
  const manifest = fileIn(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { private?: boolean }).private !== true;
}

const releaseVersion = (_: object, version = '') => {
  // It is part of the tag.
  if (!/^\w[\w+-]*(\.[\w+-]+)*$/.test(version))
    throw new UsageError(`VERSION must be like 1.2.3, v2 or 2026-03-01: ${version || 'none was given'}`);
  release(version);
  return Promise.resolve(0);
};
export const main = (terminal: Terminal) => runCommand(USAGE, {}, releaseVersion, terminal, 1);
