// `npm run api [-- --check]`: what each published entry of the kit exports, and every type of the same package that is
// reached from there. The reports are committed, so that a change of the API is seen in review.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');
const kit = path.join(root, 'packages/kit');
const reports = path.join(root, 'docs/guide/api');
const isCheck = process.argv.includes('--check');
/**
 * The entries for services and for generated code. The packages of the kit, which have one version, use others of each
 * other.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const PUBLIC = {
  core: ['.'],
  client: ['.', './openapi-fetch', './public', './stream', './testing'],
  mcp: ['.'],
  server: ['.'],
  testing: ['.', './fuzzer'],
};

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @typedef {{ name: string; isExported: boolean; text: string }} Declared */

/**
 * The declarations of an entry and those that they refer to, by name.
 *
 * @param {string} folder
 * @param {string} entry
 * @returns {Declared[]}
 */
function declarationsOf(folder, entry) {
  const dist = path.join(folder, 'dist/');
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${entry} exports nothing`);
  /** @param {ts.Symbol} symbol */
  const target = (symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  /** @type {Map<ts.Symbol, Declared>} */
  const found = new Map();
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [target(symbol), symbol.name]));
  /** @param {ts.Symbol} symbol */
  function add(symbol) {
    if (found.has(symbol)) return;
    const isExported = exported.has(symbol);
    const own = (symbol.declarations ?? []).filter(
      (item) => isExported || item.getSourceFile().fileName.startsWith(dist),
    );
    if (own.length === 0) return;
    const nodes = own.map((item) => (ts.isVariableDeclaration(item) ? item.parent.parent : item));
    const texts = nodes.map((node) =>
      [...ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc), node].map((part) => part.getText()).join('\n'),
    );
    found.set(symbol, { name: exported.get(symbol) ?? symbol.name, isExported, text: texts.join('\n') });
    for (const node of nodes) visit(node);
  }
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      const flags =
        ts.SymbolFlags.Type | ts.SymbolFlags.Class | ts.SymbolFlags.Variable | ts.SymbolFlags.Function;
      const reached = symbol && target(symbol);
      const isTopLevel = reached?.declarations?.some((item) => {
        const place = ts.isVariableDeclaration(item) ? item.parent.parent.parent : item.parent;
        return ts.isSourceFile(place);
      });
      if (reached && isTopLevel && reached.flags & flags) add(reached);
    }
    ts.forEachChild(node, visit);
  }
  for (const symbol of exported.keys()) add(symbol);
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** @param {string} name */
function reportOf(name) {
  const folder = path.join(kit, name);
  const { name: packageName, exports = {} } = readJson(path.join(folder, 'package.json'));
  const entries = Object.entries(exports).filter(([entry]) => PUBLIC[name]?.includes(entry));
  const parts = entries.map(([entry, file]) => {
    const types = path.join(folder, String(file).replace(/\.js$/, '.d.ts'));
    const declared = declarationsOf(folder, types);
    /** @param {boolean} isExported */
    const shown = (isExported) =>
      declared
        .filter((item) => item.isExported === isExported)
        .map(({ name, text }) => `### ${name}\n\n\`\`\`ts\n${text}\n\`\`\``)
        .join('\n\n');
    const reached = shown(false);
    const inner = reached === '' ? '' : `\n\nThey refer to these, which are not exported:\n\n${reached}`;
    return `## ${path.posix.join(packageName, entry)}\n\n${shown(true)}${inner}`;
  });
  return `<!-- Written by \`npm run api\` from the declarations. Do not edit. -->\n\n# ${packageName}\n\n${parts.join('\n\n')}\n`;
}

let isStale = false;
mkdirSync(reports, { recursive: true });
const names = Object.keys(PUBLIC);
for (const name of names) {
  const file = path.join(reports, `${name}.md`);
  const wanted = reportOf(name);
  if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
  isStale = true;
  if (isCheck) console.error(`${path.relative(root, file)} is not what the package declares now`);
  else writeFileSync(file, wanted);
}
for (const file of readdirSync(reports))
  if (!names.includes(path.basename(file, '.md'))) rmSync(path.join(reports, file));
if (isCheck && isStale) {
  console.error('The API has changed: run `npm run api`, and review the difference.');
  process.exitCode = 1;
}
