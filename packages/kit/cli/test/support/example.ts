import { isMap, parseDocument, type Document, type ParsedNode } from 'yaml';
import type { Kind } from '@contract-kit/core/openapi';

/** A small contract for examples, which replace the parts in braces and extend the rest. */
const BASE = `
openapi: 3.2.0
info:
  title: Examples
  version: 1.0.0
servers: [{ url: https://staging.library.example/v1, description: Staging }]
security: [{ apiKey: [] }]
tags: [{ name: examples }]
paths:
  /examples:
    put:
      operationId: example
      responses: {}
components:
  securitySchemes:
    apiKey: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
  responses:
    Example: { description: An example. }
  schemas:
    Tagged: { type: object, required: [kind], properties: { kind: { type: string, const: Tagged } } }
`;

const OPERATION = ['paths', '/examples', 'put'];

/** The place of an example by kind; a dash is an item of a list. */
const PLACES: Partial<Record<Kind, readonly string[]>> = {
  Document: [],
  Info: ['info'],
  Server: ['servers', '-'],
  Tag: ['tags', '-'],
  Components: ['components'],
  Paths: ['paths'],
  PathItem: ['paths', '/examples'],
  Operation: OPERATION,
  SecurityRequirement: OPERATION,
  Parameter: [...OPERATION, 'parameters', '-'],
  RequestBody: [...OPERATION, 'requestBody'],
  Responses: [...OPERATION, 'responses'],
  Response: [...OPERATION, 'responses', "'200'"],
  Header: ['components', 'headers', 'Example'],
  Schema: ['components', 'schemas', 'Example'],
  SecurityScheme: ['components', 'securitySchemes', 'apiKey'],
};

/** The contract with `example`, an object of the kind `on`. */
export function withExample(on: Kind, example: string): string {
  const owner = on === 'MediaType' ? (example.startsWith('description') ? 'Response' : 'RequestBody') : on;
  const base = parseDocument(BASE);
  merge(base, base.contents, parseDocument(nested(PLACES[owner] ?? [], example)).contents);
  const text = base.toString({ lineWidth: 0 });
  // One that is not in the path would be ignored.
  const [, name] = /^name: (\w+)\nin: path$/m.exec(example) ?? [];
  return name === undefined ? text : text.replace('/examples:', `/examples/{${name}}:`);
}

function nested(steps: readonly string[], example: string): string {
  const [step, ...rest] = steps;
  if (step === undefined) return example;
  const inner = nested(rest, example).replaceAll(/^/gm, '  ');
  return step === '-' ? `-\n${inner}` : `${step}:\n${inner}`;
}

/** Merges `from` into `into`, except flow maps, which it replaces. */
function merge(document: Document, into: ParsedNode | null, from: ParsedNode | null): void {
  if (!isMap(into) || !isMap(from)) return;
  for (const { key, value } of from.items) {
    const present = into.get(key, true);
    if (isMap(present) && !present.flow && isMap(value)) merge(document, present as ParsedNode, value);
    else into.set(key, value);
  }
}

/** The place of the line that ends in `# here`: of the value of a scalar, otherwise of the name. */
export function hereIn(text: string): { line: number; column: number } {
  const lines = text.split('\n');
  const found = lines.findIndex((line) => line.endsWith('# here'));
  // A value of several lines has its comment on the first.
  const line = lines[found]?.trim() === '# here' ? found - 1 : found;
  const [, indent = '', name = ''] = /^([\s-]*)([^\s{"']+: (?=[^{[\s#]))?/.exec(lines[line] ?? '') ?? [];
  return { line: line + 1, column: indent.length + name.length + 1 };
}
