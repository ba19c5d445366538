import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ServiceNames } from '@contract-kit/core';
import { errorShapesOf } from '@contract-kit/core/error-shape';
import { pipelineErrors } from '@contract-kit/core/pipeline-errors';
import { readSound, remarksOn } from '../check/check-contract.ts';
import { CommandError } from '../command.ts';
import { completed } from '@contract-kit/core/complete';
import { isTakenService } from '../generate/taken-names.ts';
import { renderTemplates } from '../generate/templates.ts';
import { templateValues } from '@contract-kit/server/internals';
import { isOpen } from '@contract-kit/core/model';
import { opsPaths } from '@contract-kit/core/own-paths';
import { basePathOf, operationsOf } from '@contract-kit/core/operations';
import { git } from '../release/git.ts';
import { inOneFile, problemLines, type SourceDocument } from '@contract-kit/core/source-document';
import { featureSources, featuresOf } from './features.ts';
import { leaveOut } from './leave-out.ts';
import { packageLinks, renameManifests } from './manifests.ts';
import { ownFunctions } from './own-functions.ts';
import { stage, swapIn, writeAll } from './staging.ts';

const run = promisify(execFile);
/** Only adopt writes it, so it shows whether adopt has run. */
const NOTE = 'ADOPTED.md';

/** Scopes of packages that are installed here, and the kit's. */
const SCOPES = ['contract-kit', 'types', 'jest', 'swc'];

export interface Adoption {
  /** The contract, from the current folder. */
  readonly file: string;
  readonly name: string;
  /** A folder above that of the contract, in which referenced files may be. */
  readonly filesIn?: string | undefined;
  /** Whether to accept a working tree with changes. */
  readonly force: boolean;
  readonly root: string;
  /** Prints what it does now. */
  readonly say: (line: string) => void;
}

/**
 * Turns the workspace at `root` into the service of a contract, and returns a report. Throws a CommandError if it cannot;
 * then nothing has changed.
 */
export async function adopt({ file, name, filesIn, force, root, say }: Adoption): Promise<string> {
  rejectName(name);
  if (existsSync(path.join(root, NOTE)))
    throw new CommandError(`${NOTE} exists: this repository has already been adopted.`);
  const contract = await readSound(path.resolve(file), { name: file, root: filesIn });
  const { commit, isNew } = await stateOf(root, path.resolve(file), force);

  const names: ServiceNames = { name, keyPrefix: keyPrefixOf(name), databaseFile: 'store.db' };
  const before = (JSON.parse(await readFile(path.join(root, 'service.json'), 'utf8')) as ServiceNames).name;
  const title = oneLine(contract.document.info.title);
  say('Preparing everything in a copy …');
  const staging = await stage(root);
  const inStaging = (command: string, ...args: string[]) =>
    run(command, args, { cwd: staging.folder, maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        throw new CommandError(`${error.message}\n${error.stdout ?? ''}\nNothing was changed.`);
      },
    );
  try {
    await leaveOut(staging.folder);
    // It becomes openapi.yaml.
    if (isNew && contract.files.size === 1)
      await rm(path.join(staging.folder, path.relative(root, path.resolve(file))));
    const features = featuresOf(contract);
    const own = await ownFunctions(contract, name);
    const files = {
      'openapi.yaml': inOneFile(contract),
      'service.json': `${JSON.stringify(names, undefined, 2)}\n`,
      ...(await featureSources(features, name)),
      ...own.files,
      ...(await renderTemplates('adopted', {
        ...templateValues(contract, names),
        title,
        commit,
        notes: notesOf(contract),
        featureImports: features
          // With a suffix, because a name may be a reserved word.
          .map(({ name, folder }) => `import { feature as ${name}Feature } from './${folder}/feature.ts';\n`)
          .join(''),
        features: features.map(({ name }) => `  ${name}: ${name}Feature,\n`).join(''),
        imports: own.imports,
        options: own.options,
      })),
    };
    await writeAll(staging.folder, files);
    const edited = await renameManifests(staging.folder, { before, name, title });
    // From the lock file, which lists everything installed.
    const offline = ['--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
    await inStaging('npm', 'install', ...offline);
    say('Generating the code …');
    await staging.linkModules();
    await inStaging(
      process.execPath,
      path.resolve(import.meta.dirname, '../../bin/contract-kit.js'),
      'generate',
    );
    // Ignores today's findings of the contract's linter, not new ones.
    const redocly = 'node_modules/@redocly/cli/bin/cli.js';
    await inStaging(
      process.execPath,
      '--import',
      './scripts/no-fetch.mjs',
      redocly,
      'lint',
      'openapi.yaml',
      '--generate-ignore-file',
    );
    const prettier = ['node_modules/prettier/bin/prettier.cjs', '--write', '--ignore-unknown'];
    await inStaging(process.execPath, ...prettier, ...Object.keys(files), ...edited);
    say('Replacing the files …');
    await swapIn(staging.folder, root, packageLinks(root, { before, name }));
  } finally {
    await staging.remove();
  }
  return `${name} is adopted: ${operationsOf(contract).length} operations, none of them implemented yet.

  npm start       answers from examples, with a key to try them
  npm run todo    lists what is to be implemented
  npm run check   is what CI runs

${NOTE} says what to know. Commit it all.`;
}

function rejectName(name: string): void {
  if (!/^[a-z][a-z0-9-]*$/.test(name) || name.length > 40)
    throw new CommandError(
      '--name must be at most 40 lower-case letters, digits and hyphens, starting with a letter',
    );
  if (SCOPES.includes(name) || isTakenService(name))
    throw new CommandError(`--name ${name} is taken by the kit: choose another, such as my-${name}`);
}

/**
 * The commit of the kit, and whether the contract is a new file of the repository. Throws a CommandError if git could not
 * undo the changes, unless forced: the contract may be new or changed, because it is kept.
 */
async function stateOf(root: string, contract: string, force: boolean) {
  const ask = (...args: string[]) => git(root, ...args).catch(() => undefined);
  const own = path.relative(root, contract);
  const isInside = own !== '' && !own.startsWith('..') && !path.isAbsolute(own);
  const others = isInside ? ['--', '.', `:(exclude,literal)${own}`] : [];
  const commit = await ask('rev-parse', 'HEAD');
  const changes = await ask('status', '--porcelain', '--untracked-files=all', ...others);
  if (commit === undefined && !force)
    throw new CommandError(
      'This is not a git working tree, so nothing can be undone: use --force to continue.',
    );
  if (changes && !force)
    throw new CommandError('The working tree has changes: commit or stash them first, or use --force.');
  const isNew = isInside && commit !== undefined && (await ask('ls-files', '--', own)) === '';
  return { commit: commit?.trim() ?? 'unknown', isNew };
}

/** `my-links` has `mylink_`: letters and digits, and an underscore. */
function keyPrefixOf(name: string): string {
  return `${name.replaceAll('-', '').slice(0, 6)}_`;
}

const oneLine = (text: unknown) =>
  String(text)
    .replace(/[\s`{}]+/g, ' ')
    .trim();

/** Notes on the contract for the adopter. */
export function notesOf(contract: SourceDocument): string {
  const operations = operationsOf(contract);
  const basePath = basePathOf(contract.document.servers?.[0] ?? { url: '/' });
  const { most, isOurs } = errorShapesOf(completed(contract).document);
  const open = operations.filter(isOpen).map(({ id }) => `\`${id}\``);
  const taken = operations.flatMap(({ path }) =>
    opsPaths.some((ops) => ops === basePath + path) ? [`\`${basePath}${path}\``] : [],
  );
  const notes = [];
  if (contract.files.size > 1)
    notes.push(`The contract was in ${contract.files.size} files: \`openapi.yaml\` has them in one.`);
  if (open.length > 0)
    notes.push(`Open to everyone, as the contract has no \`security\` for them: ${open.join(', ')}.`);
  if (taken.length > 0)
    notes.push(
      `Operations of the contract, so set \`ADMIN_PORT\` for those of the kit: ${taken.join(', ')}.`,
    );
  if (!isOurs) {
    const { status, message } = pipelineErrors.unauthorized;
    const body = most.shape({ code: 'unauthorized', message, status });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    notes.push(
      `Errors that no handler makes have a body that is guessed from the contract, such as \`${text}\`: \`errorBody\` replaces it (AGENTS.md).`,
    );
  }
  return [...notes, ...problemLines(remarksOn(contract))].map((note) => `- ${note}`).join('\n') || 'Nothing.';
}
