import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync, rmdirSync, rmSync } from 'node:fs';
import { access, cp, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServiceNames } from '@contract-kit/core';
import { guessedErrors, type GuessedErrors } from '../error-body/error-body.ts';
import { readSound } from '../rules/check-contract.ts';
import { leftOutLines, leftOutSection, textOf } from './left-out.ts';
import { asLine, CommandError } from '../command.ts';
import { completed, inOneFile, type SourceDocument } from '@contract-kit/core/openapi';
import { isTakenService } from '../generate/taken-names.ts';
import { renderTemplates } from '../generate/templates.ts';
import { packageVersion } from '../package-version.ts';
import { checkFile } from '../check/check-file.ts';
import { withProgress } from '../progress.ts';
import { templateValues } from '@contract-kit/server/internals';
import { basePathOf, isOpen } from '@contract-kit/core/model';
import { opsPaths } from '@contract-kit/core/http';
import { featureSources, featuresOf } from './features.ts';
import { kitPackages, versionsOf } from './kit-packages.ts';
import { errorBodyFile } from '../workspace.ts';
import { serviceFunctions } from './service-functions.ts';

/** Scopes of packages that are installed in a new repository, and commands that its scripts run. */
const TAKEN = ['contract-kit', 'esbuild', 'node', 'npm', 'npx', 'tsc', 'tsx', 'types'];

export interface Creation {
  readonly folder: string;
  /** The contract, from the current folder. */
  readonly file: string;
  /** By default that of the folder. */
  readonly name: string | undefined;
  /** A folder above that of the contract, in which referenced files may be. */
  readonly filesIn: string | undefined;
  /** A folder with the packed packages of the kit, which the repository gets. By default they are of the registry. */
  readonly packages: string | undefined;
  readonly isInstalled: boolean;
  /** Whether operations that cannot be served are left out, instead of refusing the contract. */
  readonly leavesOut: boolean;
  /** Prints what it does now. */
  readonly say: (line: string) => void;
}

/**
 * Makes the repository of a service in a new or empty folder, and returns what to do next. Throws if it cannot; then there
 * is no folder.
 */
export async function create(options: Creation): Promise<string> {
  const { file, filesIn, packages, isInstalled, leavesOut, say } = options;
  const folder = path.resolve(options.folder);
  const name = nameOf(options);
  if (existsSync(folder) && (await entriesOf(folder)) !== 0)
    throw new CommandError(`${options.folder} is not an empty folder. Name one that does not exist.`);
  await assertWritable(folder);
  say(`Checking ${file} …`);
  const { works, lines, notes, rest } = await withProgress((progress) =>
    checkFile(file, { root: filesIn, progress }),
  );
  if (!works && !(rest && leavesOut)) throw new CommandError(lines.join('\n'));
  const written = rest?.contract ?? (await readSound(path.resolve(file), { name: file, root: filesIn }));
  const contract = completed(written);
  const leftOut = rest ? leftOutLines(rest, file) : [];

  // Next to the folder, so that it can be renamed. In an empty one, because it may be a file system of its own.
  const staging = existsSync(folder)
    ? path.join(folder, `.new-${process.pid}`)
    : `${folder}.new-${process.pid}`;
  const parent = path.dirname(staging);
  const made = await mkdir(parent, { recursive: true });
  if (made !== undefined) process.once('exit', () => removeEmpty(parent, made));
  await mkdir(staging);
  process.prependOnceListener('exit', () => rmSync(staging, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const kit = await kitPackages(packages);
  const errors = guessedErrors(contract.model, name);
  const files = await filesOf(contract, {
    errors,
    text: rest ? textOf(rest) : inOneFile(written),
    leftOut: leftOutSection(leftOut),
    name,
    versions: await versionsOf(kit),
  });
  for (const tarball of kit) await cp(tarball, path.join(staging, 'vendor', path.basename(tarball)));
  await writeAll(staging, files);
  say('Generating the code …');
  const command = path.resolve(import.meta.dirname, '../../bin/contract-kit.js');
  await run(staging, process.execPath, command, 'generate');
  if (isInstalled) {
    say('Installing the packages …');
    await run(staging, 'npm', 'install', '--no-audit', '--no-fund', '--loglevel=error');
    // Its lock file has the versions of the packages now.
    await run(staging, process.execPath, command, 'generate');
  }
  // Without git, or in a repository, its user decides.
  if (!foldersFrom(folder).some((above) => existsSync(path.join(above, '.git'))))
    await run(staging, 'git', 'init', '--quiet').catch(() => {});
  await moveTo(folder, staging);
  const { operations } = contract.model;
  return [
    `${name} is made: ${operations.length === 1 ? '1 operation, not' : `${operations.length} operations, none of them`} implemented yet.`,
    ...(leftOut.length > 0 ? ['Left out of its contract, because they cannot be served:', ...leftOut] : []),
    ...notes,
    ...notesOf(contract, errors),
    '',
    `  cd ${shown(folder)}${isInstalled ? '' : ' && npm install'}`,
    `  npm start       responds with examples${operations.every(isOpen) ? '' : ', and prints a key to try them'}`,
    '  npm run todo    lists what is to be implemented',
    '',
    'AGENTS.md says how to implement an operation.',
  ].join('\n');
}

/** `folder`, and those above it. */
function foldersFrom(folder: string): string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

/** Throws a CommandError if `folder` cannot be written, or made. */
async function assertWritable(folder: string): Promise<void> {
  const nearest = foldersFrom(folder).find((above) => existsSync(above)) ?? folder;
  if (!(await stat(nearest)).isDirectory()) throw new CommandError(`${nearest} is a file, not a folder.`);
  await access(nearest, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${asLine(error)}. Name another folder.`);
  });
}

/** Removes `folder` and those above it up to `top`, as far as they are empty. */
function removeEmpty(folder: string, top: string): void {
  try {
    for (let at = folder; at.length >= top.length; at = path.dirname(at)) rmdirSync(at);
  } catch {
    // It has the repository, or something of another program.
  }
}

/** As an argument of a shell; from the current folder if that is shorter. */
function shown(folder: string): string {
  const relative = path.relative(process.cwd(), folder) || '.';
  const shorter = relative.length < folder.length ? relative : folder;
  return /^[\w./-]+$/.test(shorter) ? shorter : `'${shorter.replaceAll("'", String.raw`'\''`)}'`;
}

/** An empty folder stays the same one: it may be the current folder of a shell. */
async function moveTo(folder: string, staging: string): Promise<void> {
  if (!existsSync(folder)) return rename(staging, folder);
  for (const name of await readdir(staging)) await rename(path.join(staging, name), path.join(folder, name));
}

/** The name of the service. Throws a CommandError for one that it, its packages or its client cannot have. */
function nameOf({ folder, name }: Creation): string {
  const wanted = name ?? path.basename(path.resolve(folder)).toLowerCase();
  const from =
    name === undefined
      ? `The name of the folder, '${wanted}', cannot be that of the service`
      : `--name ${wanted}`;
  if (!/^[a-z][a-z0-9-]*$/.test(wanted) || wanted.length > 40)
    throw new CommandError(
      `${from}: a name has at most 40 lower-case letters, digits and hyphens, starting with a letter. Name it with --name.`,
    );
  if (TAKEN.includes(wanted) || isTakenService(wanted))
    throw new CommandError(`${from}: the name is taken. Name it with --name, such as my-${wanted}.`);
  return wanted;
}

/** How many entries a folder has; of a file, more than none. */
const entriesOf = (folder: string) =>
  readdir(folder).then(
    ({ length }) => length,
    () => Infinity,
  );

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
  }
}

/** Runs a program, and throws a CommandError with its output if it fails. */
async function run(folder: string, program: string, ...args: string[]): Promise<void> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const name = [path.basename(program), ...args.map((arg) => path.basename(arg))].join(' ');
  throw new CommandError(`${output.join('')}\n${name} failed. Nothing was written.`);
}

/** The files of the repository of a published contract that are not generated, by their names. */
async function filesOf(
  contract: SourceDocument,
  {
    text,
    name,
    errors,
    leftOut,
    versions,
  }: {
    /** The contract as its author wrote it. */
    readonly text: string;
    /** A section of the README. */
    readonly leftOut: string;
    readonly name: string;
    readonly errors: GuessedErrors | undefined;
    readonly versions: Readonly<Record<string, string>>;
  },
) {
  const names: ServiceNames = { name, keyPrefix: keyPrefixOf(name), databaseFile: 'store.db' };
  const features = featuresOf(contract);
  const own = await serviceFunctions(contract, name, errors);
  return {
    'openapi.yaml': text,
    'service.json': `${JSON.stringify(names, undefined, 2)}\n`,
    ...(await featureSources(features, name)),
    ...own.files,
    ...(await renderTemplates('created', {
      ...templateValues(contract, names, errors?.errorBody),
      ...versions,
      leftOut,
      title: oneLine(contract.document.info.title),
      basePath: basePathOf(contract.document.servers?.[0] ?? { url: '/' }),
      securityContact: securityContactOf(contract),
      version: packageVersion(String(contract.document.info.version)),
      featureImports: features
        // With a suffix, because a name may be a reserved word.
        .map(({ name, folder }) => `import { feature as ${name}Feature } from './${folder}/feature.ts';\n`)
        .join(''),
      features: features.map(({ name }) => `  ${name}: ${name}Feature,\n`).join(''),
      imports: own.imports,
      options: own.options,
    })),
  };
}

/** `my-links` has `mylink_`: letters and digits, and an underscore. */
const keyPrefixOf = (name: string) => `${name.replaceAll('-', '').slice(0, 6)}_`;

/** Where to report a vulnerability: the contact of the contract, or else the repository. */
function securityContactOf({ document }: SourceDocument): string {
  const { email, url } = (document.info.contact ?? {}) as { email?: unknown; url?: unknown };
  const contact = [email, url].find(
    (value): value is string => typeof value === 'string' && /^\S+$/.test(value),
  );
  return contact === undefined
    ? 'Use "Report a vulnerability" in the tab "Security" of this repository.'
    : `Write to <${contact}>, and mark the message as a security report.`;
}

/** For Markdown and for strings in JSON. */
const oneLine = (text: unknown) =>
  String(text)
    .replace(/[\s`{}"\\]+/g, ' ')
    .trim();

/** What its author should know of the contract, besides the remarks of the check. */
export function notesOf(contract: SourceDocument, errors: GuessedErrors | undefined): string[] {
  const { operations } = contract.model;
  const basePath = basePathOf(contract.document.servers?.[0] ?? { url: '/' });
  const open = operations.filter(isOpen).map(({ id }) => id);
  const taken = operations.flatMap(({ path }) =>
    opsPaths.some((ops) => ops === basePath + path) ? [basePath + path] : [],
  );
  const notes = [];
  if (contract.files.size > 1)
    notes.push(`The contract was in ${contract.files.size} files: openapi.yaml has them in one.`);
  if (open.length === operations.length) notes.push('Open to everyone: no operation requires security.');
  else if (open.length > 0)
    notes.push(`Open to everyone, because the contract has no security for them: ${open.join(', ')}.`);
  if (taken.length > 0)
    notes.push(`Operations of the contract, so set ADMIN_PORT for those of the kit: ${taken.join(', ')}.`);
  if (errors)
    notes.push(
      `The bodies of errors that no handler makes were guessed from the names of their fields: read ${errorBodyFile}.`,
    );
  return notes;
}
