import { createRequire } from 'node:module';
import { objectAt } from '@contract-kit/core/model';
import type * as OpenapiTypescript from 'openapi-typescript';
import type { TypeNode } from 'typescript';
import { ContractError, type SourceDocument, type Json } from '@contract-kit/core/openapi';
import { typesOf } from '../support/rule.ts';
import { INHERITED, MEMBER } from './compiler-schema.ts';
import { recursiveLists } from './recursive-lists.ts';
import { tupleType } from './tuple-type.ts';
import { BYTES, EXACT, forTypes, QUERY, RECEIVED_BYTES, SENT_BYTES } from './types-document.ts';

// Not `import`, for which Node.js searches all of TypeScript for its exports.
const {
  default: openapiTS,
  astToString,
  stringToAST,
  transformSchemaObject,
} = createRequire(import.meta.url)('openapi-typescript') as typeof OpenapiTypescript;

const TOO_DEEP =
  'the schemas are nested, or refer one to the next, too deeply to be typed: make them less than some hundred deep';

export async function emitSchema(contract: SourceDocument): Promise<string> {
  const codes = Object.keys(contract.document['x-error-codes'] ?? {}).join();
  const open = ({ type, 'x-extensible-enum': values }: Json) => {
    const known =
      values.join() === codes ? ['ErrorCode'] : values.map((value: string) => JSON.stringify(value));
    const others = Array.isArray(type) ? ['(string & {})', 'null'] : ['(string & {})'];
    return typeNode([...known, ...others].join(' | '));
  };
  const document = forTypes(contract);
  const recursive = new Set<unknown>(recursiveLists(objectAt(objectAt(document, 'components'), 'schemas')));
  const lists: TypeNode[] = [];
  const nodes = await openapiTS(document, {
    silent: true,
    defaultNonNullable: false,
    transform(schema: Json, options) {
      if (recursive.delete(schema)) {
        lists.push(transformSchemaObject(schema.items, options));
        return typeNode(listName(lists.length) + ([schema.type].flat().includes('null') ? ' | null' : ''));
      }
      if (Array.isArray(schema.prefixItems))
        return tupleType(schema, (item) => transformSchemaObject(item as Json, options));
      if (String(schema.format).startsWith(MEMBER))
        return typeNode(`Object["${schema.format.slice(MEMBER.length)}"]`);
      if (schema.format === BYTES) return typeNode('Uint8Array');
      if (schema.format === SENT_BYTES) return typeNode('Uint8Array | Blob');
      if (schema.format === RECEIVED_BYTES) return typeNode('File');
      if (schema.format === EXACT)
        return typeNode([schema.type].flat().join(' | ').replace('integer', 'bigint'));
      if (Array.isArray(schema['x-extensible-enum']) && typesOf(schema).join() === 'string')
        return open(schema);
      return undefined;
    },
  }).catch((error: unknown) => {
    // It follows references by recursion.
    if (!(error instanceof RangeError)) throw error;
    throw new ContractError([contract.problemAt(['components', 'schemas'], TOO_DEEP)]);
  });
  const [paths] = nodes as unknown as { members: { name: { text?: string } }[] }[];
  // In place, because the printer needs the positions of a list of nodes.
  for (let index = (paths?.members.length ?? 0) - 1; index >= 0; index -= 1)
    if (paths?.members[index]?.name.text?.startsWith(QUERY)) paths.members.splice(index, 1);
  const interfaces = lists.map(
    (items, index) => `interface ${listName(index + 1)} extends Array<${astToString(items).trim()}> {}\n`,
  );
  // A part may be null by itself.
  const types = astToString(nodes)
    .replace(
      'K extends keyof T> = T & {\n    [P in K]-?: T[P];',
      'K extends keyof NonNullable<T>> = T & {\n    [P in K]-?: NonNullable<T>[P];',
    )
    .replaceAll(INHERITED, '');
  return `import type { ErrorCode } from './errors.ts';\n\n${types}${interfaces.join('')}`;
}

const listName = (number: number) => `List${number}`;

function typeNode(type: string): TypeNode {
  const [alias] = stringToAST(`type T = ${type}`) as unknown as { type: TypeNode }[];
  if (!alias) throw new Error(`not a type: ${type}`);
  return alias.type;
}
