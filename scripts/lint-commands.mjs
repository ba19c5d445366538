// Prints each command that takes a package of this repository from a registry, where nobody has published it. Whoever
// registers the name there would get the reader's key. The packages of the kit may name each other: who reads that has them
// from there. With arguments, it reads these files instead.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const readText = (/** @type {string} */ file) => readFileSync(path.resolve(root, file), 'utf8');

const manifests = files.filter((file) =>
  /^((apps|packages|packages\/kit)\/[^/]+\/)?package\.json$/.test(file),
);
/** The packages of the repository and their commands. @param {string[]} from */
function namesIn(from) {
  const read = from.map((file) => JSON.parse(readText(file)));
  return new Set(read.flatMap(({ name, bin = {} }) => [name, ...Object.keys(bin)]));
}
const isOfKit = (/** @type {string} */ file) => /^(packages\/kit|docs\/guide)\//.test(file);
const all = namesIn(manifests);
const unlessOfKit = namesIn(manifests.filter((file) => !isOfKit(file)));
/** Also in a template or a message, where the name is filled in. @param {Set<string>} names @param {string} word */
const isOneOf = (names, word) =>
  /^@?\$?\{/.test(word) || names.has(word.replace(/[.;:]+$/, '').replace(/(?<=.)@[^/]*$/, ''));

/** The words of a command, also in the JSON of a configuration file, with their lines. @param {string} text */
function wordsOf(text) {
  return text.split('\n').flatMap((line, index) => {
    const words = line.match(/(?:\$?\{+\w+\}+|[^\s"'`,[\](){}])+/g) ?? [];
    return words.filter((word) => !/^args:?$|^:$/.test(word)).map((word) => ({ word, line: index + 1 }));
  });
}

/** The lines of `file` that have such a command. @param {string} file */
function* found(file) {
  const names = isOfKit(file) ? unlessOfKit : all;
  const isOurs = (/** @type {string} */ word) => isOneOf(names, word);
  const text = readText(file);
  const words = wordsOf(text);
  for (const [index, { word, line }] of words.entries()) {
    const isManager = /^(npm|pnpm|yarn|bun)$/.test(word);
    const verb = isManager ? (words[index + 1]?.word ?? '') : '';
    const rest = words.slice(index + (isManager ? 2 : 1));
    if (/^(npx|bunx)$/.test(word) || /^(exec|x|dlx)$/.test(verb)) {
      const end = rest.findIndex(({ word }) => !word.startsWith('-'));
      const flags = rest.slice(0, Math.max(end, 0)).map(({ word }) => word);
      const named = flags.some((flag) => isOurs(flag.replace(/^--?\w+=/, '')));
      if ((named || isOurs(rest[end]?.word ?? '')) && !flags.includes('--no-install')) yield line;
    } else if (/^(install|i|add)$/.test(verb)) {
      const own = rest.filter((item) => item.line === line).map((item) => item.word);
      // Where a service says that it published something, it says the registry, too.
      if (own.some(isOurs) && !own.some((item) => /registry=\$\{\w+\}/.test(item))) yield line;
    } else if (/^(create|init)$/.test(verb)) {
      const [item] = rest.filter((item) => item.line === line && !item.word.startsWith('-'));
      if (item && (isOurs(item.word) || isOurs(`create-${item.word}`))) yield line;
    }
  }
}

/** Tests and what they need are not published, apart from the record of what the service sends. */
const isPublished = (/** @type {string} */ file) =>
  (!/(^|\/)test(-support)?\//.test(file) || file.includes('/wire/record/')) &&
  !/package-lock\.json$|\.(webp|db|gz|sql)$/.test(file) &&
  file !== 'scripts/lint-commands.mjs';

const given = process.argv.slice(2);
for (const file of given.length > 0 ? given : files.filter(isPublished))
  for (const line of found(file)) {
    console.log(
      `${file}:${line}: runs or installs a package that is not published: show the way from a checkout`,
    );
    process.exitCode = 1;
  }
