import type { ValidateFunction } from 'ajv/dist/2020.js';
import { contractAjv } from './contract-ajv.ts';
import { isObject, type JsonObject } from './json-pointer.ts';
import {
  modelOf,
  referenceIn,
  responseFor,
  type MediaType,
  type Response,
  type Schema,
  type Schemas,
} from './model/model.ts';
import { pipelineErrors } from './pipeline-errors.ts';
import { schemaIn } from './model/schema-view.ts';
import { exampleOf } from './shown-example.ts';

/** What is wrong with one part of a request. */
export interface Violation {
  /** A JSON pointer into the body or the parameter (RFC 6901); empty for the whole of it. */
  readonly pointer: string;
  /** Completes a sentence that begins with the part: "must be string". */
  readonly message: string;
  /** The name of the parameter; absent for the body. */
  readonly parameter?: string;
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

/** Names of fields that say where a violation is. RFC 9457 §3 writes a pointer into the body as a fragment. */
const PLACES: readonly (readonly [name: RegExp, value: (violation: Violation) => string])[] = [
  [/^pointer$/i, ({ parameter, pointer }) => parameter ?? `#${pointer}`],
  [
    /^(field|path|property|param(eter)?|location)([-_]?(name|path))?$/i,
    (violation) => stepsTo(violation).join('.'),
  ],
];
const STEPS = /^(loc|location|path)$/i;

function stepsTo({ parameter, pointer }: Violation): string[] {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parameter === undefined ? steps : [parameter, ...steps];
}

/** Errors to try a schema with. */
const SAMPLES = Object.entries(pipelineErrors).map(([code, { message, status }]) => ({
  code,
  message,
  status,
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
        fill(document, schemas, form as Schema, error, { onlyRequired, ignoresShown, inventsPlaces });
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

const tells = (body: unknown, part: string | number) =>
  String(JSON.stringify(body)).includes(JSON.stringify(part));

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

const MAX_DEPTH = 4;

interface Filling {
  /** With its `required` fields only, not with all fields whose meaning is known. */
  readonly onlyRequired: boolean;
  readonly ignoresShown: boolean;
  /** A list of places has an item also if the error has no place. */
  readonly inventsPlaces: boolean;
}

/** A value of `given` for an error. */
function fill(
  document: JsonObject,
  schemas: Schemas,
  given: Schema,
  error: PlainError,
  { onlyRequired, ignoresShown, inventsPlaces }: Filling,
): unknown {
  const whole = (schema: unknown) => schemas.whole(schema) as Schema;
  const example = (schema: Schema) => exampleOf(document, { schema }, { view: 'response', ignoresShown });
  function objectOf(given: Schema, depth: number, violation?: Violation): unknown {
    const schema = whole(given);
    const [branch] = schemas.branchesOf(schema);
    if (branch) return objectOf(branch as Schema, depth, violation);
    const items = schemas.itemsOf(schema);
    if (items && schemas.typesOf(schema).has('array') && depth <= MAX_DEPTH) return listOf(items, depth);
    const properties = Object.entries(schemas.fieldsOf(schema));
    if (properties.length === 0) return isFreeText(schema) ? (violation ?? error).message : example(schema);
    const known = properties.map(([name, described]) => {
      const property = whole(described);
      return { name, property, value: valueOf(name, property, depth, violation) };
    });
    const isSaid = known.some(({ value }) => value !== undefined);
    const spare = isSaid ? undefined : known.find(({ property }) => isFreeText(property));
    const required = schemas.requiredOf(schema);
    const entries = known.flatMap((field): [string, unknown][] => {
      const { name, property } = field;
      const value = field === spare ? (violation ?? error).message : field.value;
      const isWanted = required.includes(name) || (!onlyRequired && value !== undefined);
      return isWanted && !schemas.isAbsentIn('response', property)
        ? [[name, value ?? example(property)]]
        : [];
    });
    return Object.fromEntries(entries);
  }

  /** An item for each violation if it has a field for the place, otherwise one for the error, which has no place. */
  function listOf(items: Schema, depth: number): unknown[] {
    if (schemas.typesOf(items).has('string')) return [error.message];
    const { violations = [] } = error;
    const names = Object.keys(schemas.possibleFieldsOf(items));
    const hasPlace = names.some((name) => STEPS.test(name) || PLACES.some(([place]) => place.test(name)));
    if (!hasPlace || (inventsPlaces && violations.length === 0)) return [objectOf(items, depth + 1)];
    return violations.map((violation) => objectOf(items, depth + 1, violation));
  }

  const isFreeText = (schema: Schema) =>
    [...schemas.typesOf(schema)].join() === 'string' && !('enum' in schema || 'format' in schema);

  /** The value of an error field by its name; undefined if the name is unknown. */
  function valueOf(name: string, schema: Schema, depth: number, violation?: Violation): unknown {
    const [type] = [...schemas.typesOf(schema)].filter((item) => item !== 'null');
    const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(name)) ?? [];
    if (depth > MAX_DEPTH) return undefined;
    const items = schemas.itemsOf(schema);
    if (type === 'array' && violation && STEPS.test(name)) return stepsTo(violation);
    if (type === 'array' && items && /err|message|detail|violation|issue/i.test(name))
      return listOf(items, depth);
    const [, place] = PLACES.find(([pattern]) => pattern.test(name)) ?? [];
    if (type === 'string' && violation && place) return place(violation);
    if (type === 'object')
      return /err|fault|problem|meta|status|response/i.test(name) ? objectOf(schema, depth + 1) : undefined;
    if (type === 'boolean') return /^(success|ok)$/i.test(name) ? false : undefined;
    const meant = meaning?.(violation ? { ...error, message: violation.message } : error);
    const isNumber = type === 'integer' || type === 'number';
    // A numeric code or error is the status.
    const value = isNumber && meant === error.code && /code|error$/i.test(name) ? error.status : meant;
    if (!isAllowed(schema, value)) return undefined;
    if (isNumber) return typeof value === 'number' ? value : undefined;
    return value === undefined ? undefined : String(value);
  }

  return objectOf(given, 0);
}

/** Whether the keywords that are usual for codes admit a value. */
function isAllowed(schema: Schema, value: unknown): boolean {
  const { enum: listed, const: only = value, minimum = -Infinity, maximum = Infinity } = schema;
  if (Array.isArray(listed) && !listed.includes(value)) return false;
  return (
    only === value && (typeof value !== 'number' || (value >= Number(minimum) && value <= Number(maximum)))
  );
}
