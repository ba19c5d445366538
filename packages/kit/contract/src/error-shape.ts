import { contractAjv } from './contract-ajv.ts';
import { dereferenced, methodsOf, objectAt } from './described-operation.ts';
import { isObject, type JsonObject } from './json-pointer.ts';
import { entryOf, isJson, preferred } from './media-type.ts';
import { pipelineErrors } from './pipeline-errors.ts';
import { propertiesOf, schemaIn } from './schema-view.ts';
import { exampleOf, type Schema } from './shown-example.ts';

/** An error of the pipeline before it takes the contract's shape. */
export interface PlainError {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

export type ErrorShape = (error: PlainError) => unknown;

/** What an error field means, guessed from its name. */
const MEANINGS: readonly (readonly [name: RegExp, value: (error: PlainError) => string | number])[] = [
  [/^(http)?[-_]?status([-_]?code)?$/i, ({ status }) => status],
  [
    /^(user|developer)?[-_]?(message|msg|text|detail|details|description|reason|error[-_]?(message|description|msg))$/i,
    ({ message }) => message,
  ],
  [/^(code|error[-_]?code|error|errors|type|name|key|slug|title)$/i, ({ code }) => code],
];

/** Errors to try a schema with. */
const SAMPLES = Object.entries(pipelineErrors).map(([code, { message, status }]) => ({
  code,
  message,
  status,
}));

/** The name under which the validator knows the contract. */
const CONTRACT = 'contract';

const OURS: ErrorShape = ({ code, message, status }) => ({ code, message, status });

/** The error shape of one response in a document. */
export interface DescribedError {
  readonly shape: ErrorShape;
  /** The media type to send. If it is not JSON, the body is a string. */
  readonly type: string;
  readonly fits: (body: unknown) => boolean;
}

const OURS_DESCRIBED: DescribedError = { shape: OURS, type: 'application/json', fits: () => true };

/** The error bodies that `document` describes. Other errors take the shape that most responses have. */
export function errorShapesOf(document: JsonObject) {
  // Once: it searches all components for references.
  const ajv = contractAjv().addSchema({ $id: CONTRACT, components: document['components'] });
  const known = new Map<string, Map<unknown, DescribedError>>();

  function describe(response: unknown): DescribedError {
    const content = objectAt(dereferenced(response, document), 'content');
    const [type, media] = preferred(content) ?? [];
    if (type === undefined) return OURS_DESCRIBED;
    if (!isJson(type)) return { shape: ({ message }) => message, type, fits: () => true };
    const { schema = {} } = media as { readonly schema?: unknown };
    const reference = isObject(schema) ? (schema['$ref'] ?? schema) : schema;
    const ofType = known.get(type) ?? new Map<unknown, DescribedError>();
    known.set(type, ofType);
    const found = ofType.get(reference) ?? shapeOf(schema, type.includes('*') ? OURS_DESCRIBED.type : type);
    ofType.set(reference, found);
    return found;
  }

  function shapeOf(schema: unknown, type: string): DescribedError {
    const viewed = schemaIn('response', schema, {
      resolve: (schema) => dereferenced(schema, document),
      refer: (reference) => CONTRACT + reference,
    });
    const validate = ajv.compile(isObject(viewed) ? viewed : {});
    const declares = Object.keys(fieldsOf(document, schema as Schema));
    const isOurs =
      declares.length === 0 || ['code', 'message', 'status'].every((name) => declares.includes(name));
    // Our error in its own fields has the most information.
    if (isOurs && SAMPLES.every((error) => validate(OURS(error))))
      return type === OURS_DESCRIBED.type ? OURS_DESCRIBED : { ...OURS_DESCRIBED, type };
    const candidates: ErrorShape[] = [
      (error) => fill(document, schema as Schema, error, false),
      (error) => fill(document, schema as Schema, error, true),
      () => exampleOf(document, { schema: schema as Schema }, { view: 'response' }),
    ];
    const shape: ErrorShape = (error) => {
      for (const make of candidates) {
        const body = make(error);
        if (validate(body)) return body;
      }
      return candidates[0]?.(error);
    };
    return { shape, type, fits: (body) => validate(body) };
  }

  const responsesOf = (definition: unknown) => objectAt(isObject(definition) ? definition : {}, 'responses');
  const all = Object.values(objectAt(document, 'paths')).flatMap((item) => {
    const plain = dereferenced(item, document);
    return methodsOf(plain).flatMap((method) => Object.entries(responsesOf(plain[method])));
  });
  const counts = new Map<DescribedError, { count: number; readonly content: JsonObject }>();
  for (const [status, response] of all) {
    const content = objectAt(dereferenced(response, document), 'content');
    if (!/^[45d]/.test(status) || Object.keys(content).length === 0) continue;
    const described = describe(response);
    const counted = counts.get(described) ?? { count: 0, content };
    counts.set(described, counted);
    counted.count += 1;
  }
  const [[most, { content }] = [OURS_DESCRIBED, { content: undefined }]] = [...counts].toSorted(
    ([, a], [, b]) => b.count - a.count,
  );

  return {
    /** For errors outside operations: the most common shape. */
    most,
    isOurs: most === OURS_DESCRIBED,
    /** Its content, if the document describes any error. */
    content,
    /** For an operation's responses; the most common shape if the status is not declared. */
    of(responses: JsonObject, status: number): DescribedError {
      const response = entryOf(responses, status);
      return response === undefined ? most : describe(response);
    },
  };
}

function fieldsOf(document: JsonObject, schema: Schema): JsonObject {
  const resolve = (value: unknown) => dereferenced(value, document);
  return propertiesOf(dereferenced(schema, document), { resolve });
}

/** A value of `given` for an error: with its `required` fields only, or with all fields whose meaning is known. */
function fill(document: JsonObject, given: Schema, error: PlainError, onlyRequired: boolean): unknown {
  const whole = (schema: unknown) => dereferenced(schema as Schema, document);
  const example = (schema: Schema) => exampleOf(document, { schema }, { view: 'response' });
  const requiredOf = (schema: Schema): string[] => {
    const { required = [], allOf = [] } = whole(schema);
    return [...required, ...allOf.flatMap(requiredOf)];
  };

  function objectOf(given: Schema, depth: number): unknown {
    const schema = whole(given);
    const [branch] = schema.oneOf ?? schema.anyOf ?? [];
    if (branch) return objectOf(branch, depth);
    const properties = Object.entries(fieldsOf(document, schema));
    if (properties.length === 0) return example(schema);
    const required = requiredOf(schema);
    const entries = properties.flatMap(([name, described]): [string, unknown][] => {
      const property = whole(described);
      const value = valueOf(name, property, depth);
      const isWanted = required.includes(name) || (!onlyRequired && value !== undefined);
      return isWanted && property['writeOnly'] !== true ? [[name, value ?? example(property)]] : [];
    });
    return Object.fromEntries(entries);
  }

  /** The value of an error field by its name; undefined if the name is unknown. */
  function valueOf(name: string, schema: Schema, depth: number): unknown {
    const type = [schema.type].flat().find((item) => item !== 'null');
    const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(name)) ?? [];
    if (depth > 4) return undefined;
    if (type === 'array' && schema.items && /err|message|detail/i.test(name)) {
      const item = whole(schema.items);
      return [item.type === 'string' ? error.message : objectOf(item, depth + 1)];
    }
    const isObjectLike = type === 'object' || schema.properties !== undefined || schema.allOf !== undefined;
    if (isObjectLike)
      return /err|fault|problem|meta|status|response/i.test(name) ? objectOf(schema, depth + 1) : undefined;
    if (type === 'boolean') return /^(success|ok)$/i.test(name) ? false : undefined;
    const value = meaning?.(error);
    const allowed = schema['enum'];
    if (Array.isArray(allowed) && !allowed.includes(value)) return undefined;
    if (type === 'integer' || type === 'number')
      return typeof value === 'number' ? value : meaning && /code/i.test(name) ? error.status : undefined;
    return value === undefined ? undefined : String(value);
  }

  return objectOf(given, 0);
}
