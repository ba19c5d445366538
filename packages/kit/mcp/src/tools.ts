import {
  dereferenced,
  describedOperation,
  objectAt,
  type DescribedOperation,
} from '@kit/contract/described-operation';
import type { JsonObject } from '@kit/contract/json-pointer';
import { INT64_PATTERN } from '@kit/contract/int64';
import type { Contract, Operation } from '@kit/contract';
import { jsonSchema } from './json-schema.ts';
import { outputOf, type Output } from './outputs.ts';

export interface ToolOptions {
  /** Whether to leave out what changes anything. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** Whether to have what is deprecated too. Default: false. */
  readonly deprecated?: boolean | undefined;
}

/** An operation, as a model is told of it. */
export interface Tool {
  /** The operationId. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Of what the client's method takes; a parameter that is a 64-bit integer is text. */
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly annotations: ReturnType<typeof annotationsOf>;
  /** By the status of the response. */
  readonly outputs: Readonly<Record<string, Output>>;
  /** Whether it takes an `offset`, which the API does not know: of a long list it gives a part. */
  readonly isPaged: boolean;
}

/** A tool for each operation, in the order of the contract. */
export function toolsOf(
  { document, operations, deprecations }: Contract,
  { readOnly, deprecated }: ToolOptions = {},
): Tool[] {
  return Object.entries(operations)
    .filter(([, { method }]) => method === 'GET' || !readOnly)
    .filter(([id]) => deprecated || !deprecations[id])
    .map(([id, operation]) => toolOf(id, operation, deprecations[id]?.sunset, document));
}

function toolOf(name: string, operation: Operation, sunset: string | undefined, document: JsonObject): Tool {
  const { method, responseTypes } = operation;
  const described = describedOperation(document, operation);
  const { summary = name, description = summary, responses } = described.definition;
  const isPaged =
    method === 'GET' &&
    Object.values(responseTypes).includes('array') &&
    !described.parameters.some((each) => each.name === 'offset');
  const outputs = Object.entries(responseTypes).map(([status, body]): [string, Output] => {
    const response = dereferenced((responses as JsonObject)[status], document);
    return [
      status,
      outputOf(isPaged && body === 'array' ? 'part' : body, Number(status), response, document),
    ];
  });
  const schemas = outputs.flatMap(([, { schema }]) => (schema ? [schema] : []));
  const anyOfThem = schemas.length > 1 ? { type: 'object', anyOf: schemas } : schemas[0];
  return {
    name,
    title: String(summary),
    description: (sunset ? `Deprecated: it goes away on ${sunset}.\n\n` : '') + String(description).trim(),
    inputSchema: jsonSchema('sent', inputOf(operation, described, isPaged, document), document),
    outputSchema:
      anyOfThem && schemas.length === outputs.length
        ? jsonSchema('response', anyOfThem, document)
        : undefined,
    annotations: annotationsOf(operation),
    outputs: Object.fromEntries(outputs),
    isPaged,
  };
}

function annotationsOf({ method, responseTypes }: Operation) {
  const readOnlyHint = method === 'GET';
  return {
    readOnlyHint,
    // What a POST is answered with 201 for is added (RFC 9110 §9.3.3); all else may change or end what was there.
    destructiveHint: !readOnlyHint && !(method === 'POST' && '201' in responseTypes),
    // RFC 9110 §9.2.2.
    idempotentHint: !/^P(OST|ATCH)$/.test(method),
    // There is nothing to meet but what the contract describes.
    openWorldHint: false,
  };
}

/** The parameters, beside the fields of the body or the whole `body`, as the client's method takes them. */
function inputOf(
  { body, int64 = [] }: Operation,
  { definition, parameters }: DescribedOperation,
  isPaged: boolean,
  document: JsonObject,
): JsonObject {
  const content = objectAt(dereferenced(definition['requestBody'], document), 'content');
  const { schema: bodySchema } = objectAt(content, 'application/json');
  const fields = body === 'fields' ? dereferenced(bodySchema, document) : { additionalProperties: false };
  const { additionalProperties, required = [] } = fields;
  const described = parameters.map(({ name, description, schema }) => [
    name,
    { ...(int64.includes(name) ? asText(schema) : schema), ...(description && { description }) },
  ]);
  return {
    type: 'object',
    properties: {
      ...(Object.fromEntries(described) as JsonObject),
      ...objectAt(fields, 'properties'),
      ...(body && body !== 'fields' && { body: bodySchema }),
      ...(isPaged && {
        offset: {
          type: 'integer',
          minimum: 0,
          description: 'Items to skip: the `nextOffset` of the part before. Long lists come in parts here.',
        },
      }),
    },
    required: [
      ...parameters.filter((each) => each.required).map(({ name }) => name),
      ...(required as string[]),
      ...(body === 'required' ? ['body'] : []),
    ],
    ...(additionalProperties === false && { additionalProperties }),
  };
}

/** A 64-bit integer, or a list of them, as text: JSON numbers are exact up to 2^53−1 only (RFC 8259 §6). */
function asText(schema: JsonObject): JsonObject {
  const { type, items } = schema;
  if (items) return { ...schema, items: asText(items as JsonObject) };
  const textOf = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(textOf) : typeof value === 'number' ? String(value) : value;
  const kept = ['description', 'default', 'const', 'enum'].filter((keyword) => keyword in schema);
  return {
    type: Array.isArray(type) ? ['string', 'null'] : 'string',
    pattern: INT64_PATTERN,
    ...Object.fromEntries(kept.map((keyword) => [keyword, textOf(schema[keyword])])),
  };
}
