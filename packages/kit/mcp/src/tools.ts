import {
  bodyTypeOf,
  eitherOf,
  isInt64Parameter,
  objectAt,
  successesOf,
  withProperties,
  type Model,
  type Operation,
  type Parameter,
  type Response,
  type Schemas,
  withExtensions,
} from '@contract-kit/core/model';
import { type JsonObject, INT64_PATTERN } from '@contract-kit/core/json';
import { isSafe } from '@contract-kit/core/http';
import { firstParagraph } from './first-paragraph.ts';
import { argumentChecks, type ArgumentCheck } from './arguments.ts';
import { checkComponents, checkSchema, jsonSchema } from './json-schema.ts';
import { outputOf, type Input, type Output } from './outputs.ts';

export interface ToolOptions {
  /** Whether to leave out operations that change anything. Default: false. */
  readonly readOnly?: boolean | undefined;
  /** Whether to add deprecated operations. Default: false. */
  readonly deprecated?: boolean | undefined;
}

/** An operation as a tool for a model. */
export interface Tool {
  /** The operationId, without what the names of tools cannot have. */
  readonly name: string;
  /** The operationId: the client's method. */
  readonly operation: string;
  readonly title: string;
  readonly description: string;
  /** The schema of the arguments. A 64-bit integer is a number or text, and bytes are base64. */
  readonly inputSchema: JsonObject;
  /** Compiles the check of the arguments. */
  readonly check: () => ArgumentCheck;
  readonly outputSchema: JsonObject | undefined;
  readonly annotations: ReturnType<typeof annotationsOf>;
  /** By the status of the response. */
  readonly outputs: Readonly<Record<string, Output>>;
  /** The input of the client's method: without the arguments that select from a whole list, and with bytes as such. */
  readonly sentOf: (input: Input) => Input;
}

/** A tool for each operation, in the order of the contract. */
export function toolsOf(model: Model, { readOnly, deprecated }: ToolOptions = {}): Tool[] {
  const { schemas } = model;
  let checks: ReturnType<typeof argumentChecks> | undefined;
  // With the components, once, for the first call of a tool.
  const checkOf = (inputs: JsonObject) =>
    (checks ??= argumentChecks(checkComponents(schemas)))(checkSchema(inputs, schemas));
  const names = new Set<string>();
  return model.operations
    .filter(({ method }) => isSafe(method) || !readOnly)
    .filter(({ deprecation }) => deprecated || !deprecation)
    .map((operation) => ({ name: newName(operation.id, names), ...toolOf(operation, schemas, checkOf) }));
}

/** Of a tool (MCP 2025-11-25, Tool Names). */
const MOST_CHARACTERS = 128;

/** A name of letters, digits and `_` that no other tool has. */
function newName(id: string, names: Set<string>): string {
  const plain = id.replaceAll('$', '_');
  let name = plain.slice(0, MOST_CHARACTERS);
  for (let next = 2; names.has(name); next += 1)
    name = plain.slice(0, MOST_CHARACTERS - String(next).length) + String(next);
  names.add(name);
  return name;
}

function toolOf(
  operation: Operation,
  schemas: Schemas,
  checkOf: (inputs: JsonObject) => ArgumentCheck,
): Omit<Tool, 'name'> {
  const { id, parameters, deprecation } = operation;
  const { summary = id, description = summary } = operation.definition;
  const body = bodyArgument(operation, schemas);
  const types = successesOf(operation).map(
    (response) => [response, bodyTypeOf(operation, response, schemas)] as const,
  );
  const list = types.find(([, type]) => type === 'array')?.[0];
  const choices = choicesOf(operation, list, schemas);
  const filters = Object.keys(choices).filter((name) => name !== 'offset' && name !== 'limit');
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const outputs = types.map(([response, type]): [string, Output] => [
    response.status,
    outputOf({
      kind: 'offset' in choices && type === 'array' ? 'part' : type,
      response,
      schemas,
      subject: argumentSchemas(inPath, schemas),
      filters,
      resumedBy: parameters.find(isLastEventId)?.input,
    }),
  ]);
  const alternatives = outputs.flatMap(([, { schema }]) => (schema ? [schema] : []));
  const [only, ...more] = alternatives;
  const output = more.length > 0 ? { type: 'object', ...eitherOf(alternatives) } : only;
  const inputs = inputOf(operation, body.schema, choices, schemas);
  const sentences = [
    deprecation?.sunset && `Deprecated: it goes away on ${deprecation.sunset}.`,
    firstParagraph(description),
    outputs.some(([, { stream }]) => stream) &&
      'It is a stream: the tool gives its first items, and says how to go on.',
    filters.length > 0 && 'Arguments named like a field keep only the items with that value.',
  ];
  return {
    operation: id,
    title: summary,
    description: sentences.filter(Boolean).join('\n\n'),
    inputSchema: jsonSchema('sent', inputs, schemas),
    check: () => checkOf(inputs),
    outputSchema:
      output && alternatives.length === outputs.length ? jsonSchema('response', output, schemas) : undefined,
    annotations: annotationsOf(operation),
    outputs: Object.fromEntries(outputs),
    sentOf: (input) => {
      const sent = Object.fromEntries(
        Object.entries(input).filter(([name]) => !Object.hasOwn(choices, name)),
      );
      return operation.body?.fields || sent['body'] === undefined
        ? sent
        : { ...sent, body: body.sentOf(sent['body']) };
    },
  };
}

const isLastEventId = (parameter: Parameter) =>
  parameter.in === 'header' && parameter.name.toLowerCase() === 'last-event-id';

/** The arguments that select from a list, unless the operation has such parameters: long lists come in parts. */
function choicesOf(
  { method, parameters, body }: Operation,
  list: Response | undefined,
  schemas: Schemas,
): JsonObject {
  const ofBody = body ? (body.fields ?? ['body']) : [];
  const names = [...parameters.map(({ name }) => name), ...ofBody];
  if (!isSafe(method) || !list || names.includes('offset')) return {};
  const offset = {
    type: 'integer',
    minimum: 0,
    description: 'Items to skip: the `nextOffset` of the part before. Long lists come in parts here.',
  };
  // If the operation has pages, selecting from one would hide items of the others.
  if (names.includes('limit')) return { offset };
  const items = schemas.itemsOf(list.media?.schema);
  const fields = Object.entries(schemas.fieldsOf(items))
    .filter(([name]) => !names.includes(name))
    .flatMap(([name, field]) => {
      const filter = filterOf(field, schemas);
      return filter ? [[name, filter] as const] : [];
    });
  return {
    ...Object.fromEntries(fields),
    limit: { type: 'integer', minimum: 1, description: 'The most items to give.' },
    offset,
  };
}

/** The schema of an argument to compare with a field; none if the field is not a scalar. */
function filterOf(field: unknown, schemas: Schemas): JsonObject | undefined {
  const types = [...schemas.typesOf(field)].filter((type) => type !== 'null');
  const [only] = types;
  const isScalar = types.length === 1 && only !== 'object' && only !== 'array';
  if (!isScalar || schemas.isAbsentIn('response', field)) return undefined;
  const { format, enum: values } = Object.assign({}, ...schemas.partsOf(field)) as JsonObject;
  if (format === 'int64') return { type: ['integer', 'string'] };
  return { type: only, ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }) };
}

function annotationsOf({ method, responses }: Operation) {
  const readOnlyHint = isSafe(method);
  const creates = method === 'POST' && responses.some(({ status }) => status === '201');
  return {
    readOnlyHint,
    // A POST with 201 adds something (RFC 9110 §9.3.3); everything else may change or delete.
    destructiveHint: !readOnlyHint && !creates,
    // RFC 9110 §9.2.2.
    idempotentHint: !/^P(OST|ATCH)$/.test(method),
    // A tool reaches only the API.
    openWorldHint: false,
  };
}

/** The parameters, with the fields of the body or the whole `body`, as for the client's method, and selections. */
function inputOf(
  { parameters, body }: Operation,
  bodySchema: unknown,
  choices: JsonObject,
  schemas: Schemas,
): JsonObject {
  const isFlat = body?.fields !== undefined;
  const fields = isFlat ? schemas.whole(bodySchema) : { additionalProperties: false };
  const { required = [] } = fields;
  return {
    type: 'object',
    properties: {
      ...argumentSchemas(parameters, schemas),
      ...objectAt(fields, 'properties'),
      ...(body && !isFlat && { body: bodySchema }),
      ...choices,
    },
    required: [
      ...parameters.filter((parameter) => parameter.required).map(({ input }) => input),
      ...(required as string[]),
      ...(body?.required && !isFlat ? ['body'] : []),
    ],
    ...(schemas.othersOf(fields) === false && { additionalProperties: false }),
  };
}

const BASE64 = {
  type: 'string',
  contentEncoding: 'base64',
  description: 'Base64, or a data URL with type and name: data:image/png;name=cat.png;base64,iVBORw0=',
};

/** The bytes of an argument; those of a data URL as a Blob of its type, or a File if it has a name (RFC 2397). */
function bytesIn(argument: unknown): Uint8Array | Blob {
  const text = argument as string;
  const [whole, type = '', parameters = ''] = /^data:([^;,]*)((?:;[^;,]*)*);base64,/i.exec(text) ?? [];
  const bytes = Buffer.from(whole === undefined ? text : text.slice(whole.length), 'base64');
  if (whole === undefined) return bytes;
  const [, name] = /;name=([^;]*)/i.exec(parameters) ?? [];
  return name === undefined ? new Blob([bytes], { type }) : new File([bytes], decoded(name), { type });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The schema of a body as an argument, in which bytes are base64, and the body that is sent for one. */
function bodyArgument(
  { body }: Operation,
  schemas: Schemas,
): { readonly schema: unknown; readonly sentOf: (argument: unknown) => unknown } {
  const { kind, schema } = body?.media ?? {};
  if (kind === 'bytes') return { schema: BASE64, sentOf: bytesIn };
  if (kind !== 'form') return { schema, sentOf: (argument) => argument };
  const fields = schemas.possibleFieldsOf(schema);
  const isFile = (name: string) =>
    schemas.isBinary(fields[name]) || schemas.isBinary(schemas.itemsOf(fields[name]));
  const sentOf = (argument: unknown) => {
    const sent = Object.entries(argument as JsonObject).map(([name, value]) => {
      if (value === null || !Object.hasOwn(fields, name) || !isFile(name)) return [name, value];
      return [name, Array.isArray(value) ? value.map(bytesIn) : bytesIn(value)];
    });
    return Object.fromEntries(sent) as JsonObject;
  };
  return { schema: inBase64(schema, schemas), sentOf };
}

/** The schema of a form in which bytes are base64. */
function inBase64(given: unknown, schemas: Schemas): unknown {
  const whole = (schema: unknown) => withExtensions(schema, schemas);
  return withProperties(given, whole, (field) => {
    if (schemas.isBinary(field)) return asBase64(field, schemas);
    return schemas.isBinary(schemas.itemsOf(field)) ? { ...schemas.whole(field), items: BASE64 } : field;
  });
}

function asBase64(field: unknown, schemas: Schemas): JsonObject {
  const { description } = schemas.whole(field);
  const isNullable = schemas.typesOf(field).has('null');
  const described = typeof description === 'string' && {
    description: `${description.trim()} ${BASE64.description}`,
  };
  return { ...BASE64, ...described, ...(isNullable && { type: ['string', 'null'] }) };
}

function argumentSchemas(parameters: readonly Parameter[], schemas: Schemas): JsonObject {
  const described = parameters.map((parameter) => {
    const { input, description, schema } = parameter;
    return [
      input,
      {
        ...(isInt64Parameter(parameter, schemas) ? numberOrText(schema) : schema),
        ...(description && { description: firstParagraph(description) }),
      },
    ];
  });
  return Object.fromEntries(described) as JsonObject;
}

/** A 64-bit integer, or a list of them: text above 2^53−1, where JSON numbers are inexact (RFC 8259 §6). */
function numberOrText(schema: JsonObject): JsonObject {
  const { type, items, enum: values, const: only, ...rest } = schema;
  if (items) return { ...schema, items: numberOrText(items as JsonObject) };
  const allowed = only === undefined ? (values as unknown[] | undefined) : [only];
  const { minimum = -Infinity, maximum = Infinity } = rest as { minimum?: number; maximum?: number };
  return {
    ...rest,
    type: ['integer', 'string', ...(Array.isArray(type) ? ['null'] : [])],
    minimum: Math.max(minimum, Number.MIN_SAFE_INTEGER),
    maximum: Math.min(maximum, Number.MAX_SAFE_INTEGER),
    pattern: INT64_PATTERN,
    ...(allowed && {
      enum: allowed.flatMap((value) => (typeof value === 'number' ? [value, String(value)] : [value])),
    }),
  };
}
