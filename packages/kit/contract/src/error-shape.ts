import { contractAjv } from './contract-ajv.ts';
import { isObject, type JsonObject } from './json-pointer.ts';
import { isJson } from './media-type.ts';
import { modelOf, responseFor, type MediaType, type Response, type Schemas } from './model/model.ts';
import { pipelineErrors } from './pipeline-errors.ts';
import { schemaIn } from './schema-view.ts';
import { exampleOf, type Schema } from './shown-example.ts';

/** What is wrong with one part of a request. */
export interface Violation {
  /** A JSON pointer into the body or the parameter (RFC 6901); empty for the whole of it. */
  readonly pointer: string;
  /** Completes a sentence that begins with the part: "must be string". */
  readonly message: string;
}

/** An error of the pipeline before it takes the contract's shape. */
export interface PlainError {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  /** Everything that is wrong with an invalid request. */
  readonly violations?: readonly Violation[];
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
  /** Why a body does not fit: its field, and what it must be. */
  readonly violationOf: (body: unknown) => string | undefined;
}

const OURS_DESCRIBED: DescribedError = {
  shape: OURS,
  type: 'application/json',
  violationOf: () => undefined,
};

/** The error bodies that `document` describes. Other errors take the shape that most responses have. */
export function errorShapesOf(document: JsonObject) {
  const { operations, schemas } = modelOf(document);
  // Once: it searches all components for references.
  const ajv = contractAjv().addSchema({ $id: CONTRACT, components: document['components'] });
  const known = new Map<string, Map<unknown, DescribedError>>();

  function describe(media: MediaType | undefined): DescribedError {
    if (!media) return OURS_DESCRIBED;
    const { type, schema = {} } = media;
    if (!isJson(type)) return { shape: ({ message }) => message, type, violationOf: () => undefined };
    const reference = schema['$ref'] ?? schema;
    const ofType = known.get(type) ?? new Map<unknown, DescribedError>();
    known.set(type, ofType);
    const found = ofType.get(reference) ?? shapeOf(schema, type.includes('*') ? OURS_DESCRIBED.type : type);
    ofType.set(reference, found);
    return found;
  }

  function shapeOf(schema: unknown, type: string): DescribedError {
    const viewed = schemaIn('response', schema, {
      schemas,
      refer: (reference) => CONTRACT + reference,
    });
    const validate = ajv.compile(isObject(viewed) ? viewed : {});
    const declares = Object.keys(schemas.fieldsOf(schema));
    const isOurs =
      declares.length === 0 || ['code', 'message', 'status'].every((name) => declares.includes(name));
    // Our error in its own fields has the most information.
    if (isOurs && SAMPLES.every((error) => validate(OURS(error))))
      return type === OURS_DESCRIBED.type ? OURS_DESCRIBED : { ...OURS_DESCRIBED, type };
    const candidates: ErrorShape[] = [
      // An example of the contract may break its schema.
      ...[false, true].flatMap((ignoresShown) =>
        [false, true].map((onlyRequired) => (error: PlainError) => {
          return fill(document, schemas, schema as Schema, error, { onlyRequired, ignoresShown });
        }),
      ),
      ...[false, true].map(
        (ignoresShown) => () =>
          exampleOf(document, { schema: schema as Schema }, { view: 'response', ignoresShown }),
      ),
    ];
    const shape: ErrorShape = (error) => {
      for (const make of candidates) {
        const body = make(error);
        if (validate(body)) return body;
      }
      return candidates[0]?.(error);
    };
    const violationOf = (body: unknown) => {
      if (validate(body)) return undefined;
      const [{ instancePath = '', message = '' } = {}] = validate.errors ?? [];
      const field = instancePath.slice(1).replaceAll('/', '.');
      return field ? `its field ${field} ${message}` : `it ${message}`;
    };
    return { shape, type, violationOf };
  }

  const counts = new Map<
    DescribedError,
    { count: number; readonly media: MediaType; readonly content: unknown }
  >();
  for (const { status, media, definition } of operations.flatMap(({ responses }) => responses)) {
    if (!/^[45d]/.test(status) || !media) continue;
    const described = describe(media);
    const counted = counts.get(described) ?? { count: 0, media, content: definition['content'] };
    counts.set(described, counted);
    counted.count += 1;
  }
  const [[most, { content, media }] = [OURS_DESCRIBED, { content: undefined, media: undefined }]] = [
    ...counts,
  ].toSorted(([, a], [, b]) => b.count - a.count);

  return {
    /** For errors outside operations: the most common shape. */
    most,
    isOurs: most === OURS_DESCRIBED,
    /** Its content, if the document describes any error. */
    content,
    /** Its preferred media type. */
    media,
    /** For an operation's responses; the most common shape if the status is not declared. */
    of(responses: readonly Response[], status: number): DescribedError {
      const response = responseFor(responses, status);
      return response ? describe(response.media) : most;
    },
  };
}

/** A value of `given` for an error: with its `required` fields only, or with all fields whose meaning is known. */
function fill(
  document: JsonObject,
  schemas: Schemas,
  given: Schema,
  error: PlainError,
  { onlyRequired, ignoresShown }: { readonly onlyRequired: boolean; readonly ignoresShown: boolean },
): unknown {
  const whole = (schema: unknown) => schemas.whole(schema) as Schema;
  const example = (schema: Schema) => exampleOf(document, { schema }, { view: 'response', ignoresShown });
  function objectOf(given: Schema, depth: number): unknown {
    const schema = whole(given);
    const [branch] = schemas.branchesOf(schema);
    if (branch) return objectOf(branch as Schema, depth);
    const properties = Object.entries(schemas.fieldsOf(schema));
    if (properties.length === 0) return example(schema);
    const required = schemas.requiredOf(schema);
    const entries = properties.flatMap(([name, described]): [string, unknown][] => {
      const property = whole(described);
      const value = valueOf(name, property, depth);
      const isWanted = required.includes(name) || (!onlyRequired && value !== undefined);
      return isWanted && !schemas.has('writeOnly', property) ? [[name, value ?? example(property)]] : [];
    });
    return Object.fromEntries(entries);
  }

  /** The value of an error field by its name; undefined if the name is unknown. */
  function valueOf(name: string, schema: Schema, depth: number): unknown {
    const [type] = [...schemas.typesOf(schema)].filter((item) => item !== 'null');
    const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(name)) ?? [];
    if (depth > 4) return undefined;
    const items = schemas.itemsOf(schema);
    if (type === 'array' && items && /err|message|detail/i.test(name))
      return [schemas.typesOf(items).has('string') ? error.message : objectOf(items, depth + 1)];
    if (type === 'object')
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
