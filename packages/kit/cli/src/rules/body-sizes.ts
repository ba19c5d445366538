import { isObject } from '@contract-kit/core/json';
import { JSON_LIMIT } from '@contract-kit/core/http';
import type { Operation, Schemas } from '@contract-kit/core/model';
import type { Problem, SourceDocument } from '@contract-kit/core/openapi';
import { exampleOf } from '@contract-kit/core/values';

/** Remarks on an operation whose schema allows bodies that the server rejects for their size. */
export function* checkBodySizes(
  contract: SourceDocument,
  { method, path, definition, pointer, body }: Operation,
): Iterable<Problem> {
  if (!body) return;
  const { limit = JSON_LIMIT, content } = body;
  const { schemas } = contract.model;
  const size = Math.max(...content.map(({ schema }) => largestOf(schema, schemas)));
  if (size <= limit) return;
  const shown = (bytes: number) => bytes.toLocaleString('en-US');
  const at = 'x-body-limit' in definition ? 'x-body-limit' : 'requestBody';
  yield contract.problemAt(
    [...pointer, at],
    `${method} ${path}: its schema allows a body of ${shown(size)} bytes, and more than ${shown(limit)} are rejected with 413: ` +
      `set x-body-limit of the operation to the most bytes that it takes, or lower maxItems or maxLength`,
  );
}

/**
 * The bytes of the largest value, as far as the schema states them: a text or a list without a maximum counts as its
 * shortest one. At least, because in JSON some characters take more.
 */
function largestOf(schema: unknown, schemas: Schemas, around: readonly unknown[] = []): number {
  const parts = schemas.partsOf(schema);
  // Recursion ends somewhere.
  if (parts.some((part) => around.includes(part))) return 0;
  const inner = (child: unknown) => largestOf(child, schemas, [...around, ...parts]);
  const stated = (keyword: string) =>
    parts.map((part) => Number(part[keyword])).filter((value) => Number.isFinite(value));
  const branches = Math.max(0, ...schemas.branchesOf(schema).map(inner));
  const types = schemas.typesOf(schema);
  const own = [...types].map((type) => {
    if (type === 'array') {
      const most = Math.min(...stated('maxItems'));
      const count = Number.isFinite(most) ? most : Math.max(1, ...stated('minItems'));
      // Two brackets, and a comma less than items.
      return count * (inner(schemas.itemsOf(schema)) + 1) + 1;
    }
    if (type === 'object') {
      const fields = Object.entries(schemas.fieldsOf(schema)).filter(
        ([, field]) => !schemas.isAbsentIn('sent', field),
      );
      return fields.reduce((sum, [name, field]) => sum + name.length + '"":,'.length + inner(field), 1);
    }
    if (type !== 'string') return 1;
    const values = parts.flatMap((part) => (Array.isArray(part['enum']) ? (part['enum'] as unknown[]) : []));
    if (values.length > 0) return Math.max(...values.map((value) => String(value).length)) + 2;
    const most = Math.min(...stated('maxLength'));
    return (Number.isFinite(most) ? most : shortestText(schema, schemas)) + 2;
  });
  return Math.max(branches, ...own, 0);
}

function shortestText(schema: unknown, schemas: Schemas): number {
  const made = isObject(schema) ? exampleOf(schemas, { schema }, { ignoresShown: true }) : '';
  return typeof made === 'string' ? made.length : 0;
}
