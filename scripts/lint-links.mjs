// Prints each link and path that leads nowhere, each quoted test that does not exist, and each gap in a table of failures, in
// Markdown and in the comments of deploy.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const FILE = /^[\w.-]+(\/[\w.-]+)*$/;
const EXTENSION = /\.(ts|[mc]?js|ya?ml|json|md|sh|sql)$/;
/** Plans, a package, and files of other programs. */
const ELSEWHERE = /^(openapi\.v1\.yaml|orders\/v1|ipaddr\.js|\.(vscode|cursor)\/mcp\.json|claude_\w+\.json)$/;

const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const folders = new Set(files.flatMap((file) => file.split('/').slice(0, -1)));
const readText = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8');
const manifests = files
  .filter((file) => path.basename(file) === 'package.json')
  .map((file) => ({ folder: path.dirname(file), ...JSON.parse(readText(file)) }));
/** The scripts of a workspace, by its folder or its name. @param {string} workspace */
const scriptsOf = (workspace) =>
  manifests.find(({ folder, name }) => folder === workspace || name === workspace)?.scripts ?? {};
/** A page without its blocks of code, in as many lines. @param {string} page */
const proseOf = (page) =>
  readText(page).replace(/^ *```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));

/** @param {string} page @param {string} link */
function isLink(page, link) {
  if (/^\w+:/.test(link)) return true;
  const [name = '', anchor] = link.split('#');
  const target = name === '' ? page : path.join(path.dirname(page), name);
  if (!existsSync(path.join(root, target))) return false;
  const headings = anchor === undefined ? [] : [...proseOf(target).matchAll(/^#+ (.*)$/gm)];
  const anchors = headings.map(([, text = '']) => text.toLowerCase().replaceAll(/[^\w -]/g, ''));
  return anchor === undefined || anchors.some((text) => text.replaceAll(' ', '-') === anchor);
}

/** Whether a script or path between backticks exists; a path may begin at any folder. @param {string} code */
function isThere(code) {
  const [, script, workspace = '.'] = /^npm run ([\w:-]+)(?: --workspace (\S+))?/.exec(code) ?? [];
  if (script !== undefined) return script in scriptsOf(workspace);
  const name = code.replace(/\/$/, '');
  if (!FILE.test(name) || ELSEWHERE.test(name)) return true;
  const isPath = EXTENSION.test(name) || (code.includes('/') && folders.has(code.split('/', 1)[0] ?? ''));
  return !isPath || files.some((file) => `/${file}/`.includes(`/${name}/`));
}

/** Whether a test of `file` has this title, or a table of tests such a case. @param {string} file @param {string} title */
const isTest = (file, title) =>
  files
    .filter((name) => `/${name}`.endsWith(`/${file}`))
    .some((name) => {
      const source = readText(name)
        .replaceAll(/\\(['"`])/g, '$1')
        .replaceAll(/([([])\s+/g, '$1');
      return ["'", '"', '`'].some((quote) =>
        ['(', '['].some((before) => source.includes(`${before}${quote}${title}${quote}`)),
      );
    });

const QUOTED_TEST = /`([^`]+\.test\.ts)`(?:\]\([^)]*\))?\)?[:,]? ["“]([^"”]+)["”]/g;

/** @param {string} page @param {string} line */
const deadIn = (page, line) => [
  ...[...line.matchAll(QUOTED_TEST)]
    .filter(([, file = '', title = '']) => !isTest(file, title))
    .map(([, , title]) => `test "${title}"`),
  ...[...line.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !isLink(page, link)),
  ...[...line.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code)
    // Those of the guide are of a created repository: packages/kit/cli/test/full/guide.test.ts looks there.
    .filter((code) => !page.startsWith('docs/guide/') && !isThere(code)),
];
/** @param {string} line */
const deadInDeploy = (line) =>
  [...line.matchAll(/docs\/[\w-]+\.md(#[\w-]+)?/g)].map(([link]) => link).filter((link) => !isLink('', link));

/**
 * What tables of failures lack: each has a row for every failure that another one has, and each row names a test, links to a
 * sentence, or begins its second column with a dash, because it cannot happen.
 *
 * @param {string} page
 */
function* missingFailures(page) {
  const tables = proseOf(page)
    .split(/^#+ /m)
    .map((section) => Array.from(section.matchAll(/^\| ([^|]*\w) +\| (.*)\|$/gm)))
    .filter(([head]) => head?.[1] === 'What happens');
  const all = new Set(tables.flatMap((rows) => rows.map(([, what]) => what)));
  for (const rows of tables) {
    for (const what of all) if (!rows.some((row) => row[1] === what)) yield `row "${what}"`;
    for (const [row, what, rest = ''] of rows.slice(1))
      if (!rest.startsWith('–') && !/\]\(/.test(row) && row.match(QUOTED_TEST) === null)
        yield `test or sentence in "${what}"`;
  }
}

/** @param {string} place @param {string} what */
function report(place, what) {
  console.log(`${place}:no ${what}`);
  process.exitCode = 1;
}

for (const file of files) {
  const isPage = file.endsWith('.md');
  if (!isPage && !file.startsWith('deploy/')) continue;
  for (const [index, line] of (isPage ? proseOf(file) : readText(file)).split('\n').entries())
    for (const dead of isPage ? deadIn(file, line) : deadInDeploy(line)) report(`${file}:${index + 1}`, dead);
  if (isPage) for (const missing of missingFailures(file)) report(file, missing);
}
