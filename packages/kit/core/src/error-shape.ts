import type { ValidateFunction } from 'ajv/dist/2020.js';
import { contractAjv } from './contract-ajv.ts';
import { fill, tells } from './fill-error.ts';
import { isObject, type JsonObject } from './json-pointer.ts';
import {
  modelOf,
  referenceIn,
  responseFor,
  type MediaType,
  type Response,
  type Schema,
} from './model/model.ts';
import { pipelineErrors } from './pipeline-errors.ts';
import { NO_REQUEST_ID, type PlainError } from './plain-error.ts';
import { schemaIn } from './model/schema-view.ts';
import { exampleOf } from './shown-example.ts';

export type ErrorShape = (error: PlainError) => unknown;

/** Errors to try a schema with. */
const SAMPLES = Object.entries(pipelineErrors).map(([code, { message, status }]) => ({
  code,
  message,
  status,
  requestId: NO_REQUEST_ID,
}));

/** The name under which the validator knows the contract. */
const CONTRACT = 'contract';

const OURS: ErrorShape = ({ code, message, status }) => ({ code, message, status });

/** For schemas that do not say what they hold. */
const PLAIN: readonly ErrorShape[] = [
  OURS,
  (error) => [OURS(error)],
  ({ message }) => [message],
  ({ message }) => message,
];

/** The error shape of one response in a document. */
export interface DescribedError {
  readonly shape: ErrorShape;
  /** The media type to send. If it is not JSON, the body is a string. */
  readonly type: string;
  /** Whether it can tell any error. */
  readonly isGeneral: boolean;
  /** Why a body does not fit: its field, and what it must be. */
  readonly violationOf: (body: unknown) => string | undefined;
}

const OURS_DESCRIBED: DescribedError = {
  shape: OURS,
  type: 'application/json',
  isGeneral: true,
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
    const { type, kind, schema = {} } = media;
    if (kind === 'bytes') return { ...OURS_DESCRIBED, shape: ({ message }) => message, type };
    const reference = referenceIn(schema) ?? schema;
    const ofType = known.get(type) ?? new Map<unknown, DescribedError>();
    known.set(type, ofType);
    const found = ofType.get(reference) ?? (kind === 'json' ? jsonShapeOf : textShapeOf)(schema, type);
    ofType.set(reference, found);
    return found;
  }

  function compile(schema: unknown): ValidateFunction {
    const refer = (reference: string) => CONTRACT + reference;
    const viewed = schemaIn('response', schema, { schemas, refer });
    return ajv.compile(isObject(viewed) ? viewed : {});
  }

  const compiled = new Map<string, ValidateFunction>();
  function admits(schema: unknown, value: unknown): boolean {
    // Resolved schemas are new objects each time.
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? compile(schema);
    compiled.set(key, validate);
    return validate(value);
  }

  /** The message; the code or an example if the text is one of few. */
  function textShapeOf(schema: JsonObject, type: string): DescribedError {
    const example = () => exampleOf(document, { schema }, { view: 'response' });
    const validate = compile(schemas.typesOf(schema).has('string') ? schema : {});
    const isGeneral = SAMPLES.every(({ message }) => validate(message));
    const shapes: ErrorShape[] = [({ message }) => message, ({ code }) => code, example];
    return { ...fitting(type, validate, shapes), isGeneral };
  }

  function jsonShapeOf(schema: unknown, given: string): DescribedError {
    const type = given.includes('*') ? OURS_DESCRIBED.type : given;
    const validate = compile(schema);
    const declares = Object.keys(schemas.possibleFieldsOf(schemas.itemsOf(schema) ?? schema));
    const isOurs =
      declares.length === 0 || ['code', 'message', 'status'].every((name) => declares.includes(name));
    // Our error in its own fields has the most information.
    if (isOurs && SAMPLES.every((error) => validate(OURS(error))))
      return type === OURS_DESCRIBED.type ? OURS_DESCRIBED : { ...OURS_DESCRIBED, type };
    const filledAs = (form: unknown, ignoresShown: boolean, onlyRequired: boolean) => (error: PlainError) => {
      const filled = (inventsPlaces: boolean) =>
        fill(document, schemas, form as Schema, error, { admits, onlyRequired, ignoresShown, inventsPlaces });
      const body = filled(false);
      // A list of places may be all that can tell the message.
      return tells(body, error.message) && validate(body) ? body : filled(true);
    };
    // The first branch of a union may have no field that can tell it.
    const forms = [schema, ...schemas.branchesOf(schema).slice(1)];
    const candidates: ErrorShape[] = [
      // An example of the contract may break its schema.
      ...forms.flatMap((form) =>
        [false, true].flatMap((ignoresShown) => [
          filledAs(form, ignoresShown, false),
          filledAs(form, ignoresShown, true),
        ]),
      ),
      ...[false, true].map(
        (ignoresShown) => () =>
          exampleOf(document, { schema: schema as Schema }, { view: 'response', ignoresShown }),
      ),
      ...(declares.length === 0 ? PLAIN : []),
    ];
    return fitting(type, validate, candidates);
  }

  const counts = new Map<
    DescribedError,
    { count: number; readonly media: MediaType; readonly content: unknown }
  >();
  for (const { status, media, definition } of operations.flatMap(({ responses }) => responses)) {
    if (!/^[45d]/.test(status) || !media) continue;
    const described = describe(media);
    if (!described.isGeneral) continue;
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

/** The first of `candidates` that makes a valid body which says what is wrong, or any valid one. */
function fitting(
  type: string,
  validate: ValidateFunction,
  candidates: readonly ErrorShape[],
): DescribedError {
  const shape: ErrorShape = (error) => {
    const { message, code, status } = error;
    let silent: { readonly body: unknown } | undefined;
    for (const make of candidates) {
      const body = make(error);
      if (!validate(body)) continue;
      if ([message, code, status].some((part) => tells(body, part))) return body;
      silent ??= { body };
    }
    return silent ? silent.body : candidates[0]?.(error);
  };
  const violationOf = (body: unknown) => {
    if (validate(body)) return undefined;
    const [{ instancePath = '', message = '' } = {}] = validate.errors ?? [];
    const field = instancePath.slice(1).replaceAll('/', '.');
    return field ? `its field ${field} ${message}` : `it ${message}`;
  };
  return { shape, type, isGeneral: true, violationOf };
}
