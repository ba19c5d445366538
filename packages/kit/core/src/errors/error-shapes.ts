import { STATUS_CODES } from 'node:http';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { contractAjv, isObject, SCHEMA_ID } from '../json/index.ts';
import { essenceOf, isJson } from '../http/index.ts';
import { schemaIn, responseFor, type MediaType, type Model, type Response } from '../model/index.ts';
import { pipelineErrors } from './pipeline-errors.ts';
import { NO_REQUEST_ID, type ErrorFacts } from './error-facts.ts';

/* What the contract says of the bodies of errors. Which of its fields mean what, is not known here. */

/** Makes the body of an error: a value for JSON, otherwise a text. */
export type MakeError = (error: ErrorFacts) => unknown;

/** The error body of one response in a document. */
export interface ErrorShape {
  /** The media type to send. If it is not JSON, the body is a text. */
  readonly type: string;
  /** What the contract declares; undefined where it declares no body. */
  readonly media: MediaType | undefined;
  /** The kit's own body; undefined if its fields are others, which the service fills. */
  readonly make: MakeError | undefined;
  /** Why a body does not fit: its field, and what it must be. */
  readonly violationOf: (body: unknown) => string | undefined;
}

const OURS: MakeError = ({ code, message, status }) => ({ code, message, status });
const OUR_TYPE = 'application/json';

/** RFC 9457 §4.2.1: a problem without a specific type has the title of its status. */
const PROBLEM: MakeError = ({ message, status }) => ({
  type: 'about:blank',
  title: STATUS_CODES[status],
  status,
  detail: message,
});
const PROBLEM_TYPE = 'application/problem+json';

const TEXT: MakeError = ({ message }) => message;

/** Errors to try a schema with. */
const SAMPLES: readonly ErrorFacts[] = Object.entries(pipelineErrors).map(([code, { message, status }]) => ({
  code,
  message,
  status,
  requestId: NO_REQUEST_ID,
  path: '/',
}));

const UNDECLARED: ErrorShape = {
  type: OUR_TYPE,
  media: undefined,
  make: OURS,
  violationOf: () => undefined,
};

/** The error bodies that a contract describes. Errors that it does not declare take the shape that most responses have. */
export function errorShapesOf(model: Model) {
  const { operations, schemas } = model;
  const validatorOf = responseValidatorsOf(model);
  const known = new Map<string, ErrorShape>();

  /** The same object for equal schemas. */
  function shapeOf(media: MediaType | undefined): ErrorShape {
    if (!media) return UNDECLARED;
    const key = `${media.type} ${JSON.stringify(media.schema)}`;
    const shape = known.get(key) ?? described(media);
    known.set(key, shape);
    return shape;
  }

  function described(media: MediaType): ErrorShape {
    const { type, kind, schema = {} } = media;
    if (kind === 'bytes') return { type, media, make: TEXT, violationOf: () => undefined };
    const isText = kind !== 'json';
    const validate = validatorOf(isText && !schemas.typesOf(schema).has('string') ? {} : schema);
    const fits = (make: MakeError) => SAMPLES.every((error) => validate(make(error)));
    const make = (isText ? [TEXT] : knownShapesFor(media)).find(fits);
    const violationOf = (body: unknown) => (validate(body) ? undefined : firstViolation(validate));
    return { type: !isText && type.includes('*') ? OUR_TYPE : type, media, make, violationOf };
  }

  /** The bodies that the kit makes by itself, if they fit a schema. */
  function knownShapesFor({ type, schema = {} }: MediaType): MakeError[] {
    const declared = Object.keys(schemas.possibleFieldsOf(schemas.itemsOf(schema) ?? schema));
    if (declared.length === 0) return essenceOf(type) === PROBLEM_TYPE ? [PROBLEM] : [OURS];
    return ['code', 'message', 'status'].every((name) => declared.includes(name)) ? [OURS] : [];
  }

  const declared = operations.flatMap(({ responses }) =>
    responses.flatMap(({ status, media, definition }) =>
      /^[45d]/.test(status) && media
        ? [{ shape: shapeOf(media), media, content: definition['content'] }]
        : [],
    ),
  );
  const counts = new Map<ErrorShape, number>();
  // A text that must be one of few cannot tell any error.
  const general = declared.filter(({ shape }) => shape.make || shape.media?.kind === 'json');
  for (const { shape } of general) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const isOfJson = ({ type }: ErrorShape) => Number(isJson(type));
  const [[most] = [UNDECLARED]] = [...counts].toSorted(
    ([a, ofA], [b, ofB]) => ofB - ofA || isOfJson(b) - isOfJson(a),
  );
  const first = general.find(({ shape }) => shape === most);

  return {
    /** For errors outside operations: the most common shape. */
    most,
    isOurs: most.make === OURS,
    /** Its content, if the document describes any error. */
    content: first?.content,
    /** Its preferred media type. */
    media: first?.media,
    /** For an operation's responses; the most common shape if the status, or the content of `default`, is not declared. */
    of(responses: readonly Response[], status: number): ErrorShape {
      const response = responseFor(responses, status);
      return response && (response.media || response.status !== 'default') ? shapeOf(response.media) : most;
    },
  };
}

/**
 * Who makes the body of a response: JSON the `errorBody` of the service, and the kit where that returns undefined or is
 * not there; a text the kit, if it can. Undefined if only `errorBody` could.
 */
export function makerOf({ type, make }: ErrorShape, errorBody?: MakeError): MakeError | undefined {
  if (!errorBody || (make && !isJson(type))) return make;
  return (error) => errorBody(error) ?? make?.(error);
}

/** The name under which the validator knows the contract. */
const CONTRACT = 'contract';

/** Compiles each schema of a response once. */
export function responseValidatorsOf({ document, schemas }: Model): (schema: unknown) => ValidateFunction {
  // Once: it searches all components for references.
  const ajv = contractAjv().addSchema({ [SCHEMA_ID]: CONTRACT, components: document['components'] });
  const refer = (reference: string) => CONTRACT + reference;
  // Resolved schemas are new objects each time.
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const found = compiled.get(key);
    if (found) return found;
    const viewed = schemaIn('response', schema, { schemas, refer });
    const validate = ajv.compile(isObject(viewed) ? viewed : {});
    compiled.set(key, validate);
    return validate;
  };
}

function firstViolation({ errors }: ValidateFunction): string {
  const [{ instancePath = '', message = '' } = {}] = errors ?? [];
  const field = instancePath.slice(1).replaceAll('/', '.');
  return field ? `its field ${field} ${message}` : `it ${message}`;
}
