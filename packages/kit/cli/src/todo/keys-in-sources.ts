import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type Typescript from 'typescript';
import { featuresFolder, root } from '../workspace.ts';

// Not `import`, for which Node.js searches all of TypeScript for its exports.
const ts = createRequire(import.meta.url)('typescript') as typeof Typescript;

/** The key of a property or method. If it is an operationId, that is taken for its handler. */
export interface Key {
  readonly name: string;
  /** From the root. */
  readonly file: string;
  readonly line: number;
  /** Whether the value is `notYet`. */
  readonly isNotYet: boolean;
}

/** The keys of all objects in the sources of the service, by file and line. */
export async function keysInSources(): Promise<Key[]> {
  const folder = path.join(root, featuresFolder);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const keys = names.map(async (name) =>
    keysIn(await readFile(path.join(folder, name), 'utf8'), `${featuresFolder}/${name}`),
  );
  return (await Promise.all(keys)).flat();
}

function keysIn(text: string, file: string): Key[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const keys: Key[] = [];
  const visit = (node: Typescript.Node) => {
    if (ts.isObjectLiteralElementLike(node) && node.name && 'text' in node.name) {
      const value = ts.isPropertyAssignment(node) && node.initializer;
      keys.push({
        name: node.name.text,
        file,
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
        isNotYet: value && ts.isIdentifier(value) && value.text === 'notYet',
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return keys;
}
