import { contractAjv, isObject, type JsonObject } from '@contract-kit/core/json';
import type { OutgoingHttpHeader } from 'node:http';
import { pipelineErrors, errorShapesOf } from '@contract-kit/core/errors';
import { headersOfEveryResponse, essenceOf, matching } from '@contract-kit/core/http';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import {
  closedComponents,
  closedSchema,
  concreteKindOf,
  headerOf,
  isInJson,
  objectAt,
  preferredOf,
  readSchemas,
  responseFor,
  type Described,
  type MediaType,
  type Model,
  type Response,
  decidedComponents,
  decidedIn,
} from '@contract-kit/core/model';
import { JSON_TYPE } from '../http/headers.ts';
import { memoize } from '../memoize.ts';

/** The headers of a response, by lower-case name. */
export type SentHeaders = Readonly<Record<string, OutgoingHttpHeader>>;

/** The contract of one response: each function returns violations. */
export interface ResponseValidator {
  checkHead(headers: SentHeaders, hasBody: boolean): string[];
  /** `body` as written: text or bytes. */
  checkBody(body: string | Buffer, contentType?: string): string[];
  checkElement(element: unknown): string[];
  /** An item of a stream, before it is written. */
  checkItem(item: unknown, contentType: string): string[];
}

interface HeaderCheck {
  readonly name: string;
  readonly required: boolean;
  readonly isJson: boolean;
  readonly validate: ValidateFunction;
}

/** Finds the validator of an operation's response, or of 404, 405 and OPTIONS. Undefined if it is not declared. */
export type ResponseValidators = (
  operationId: string | undefined,
  status: number,
) => ResponseValidator | undefined;

/** Reads every response of the document. Compiles each on first use. */
export function responseValidatorsOf(model: Model): ResponseValidators {
  const found = known.get(model) ?? readResponses(model);
  known.set(model, found);
  return found;
}

/** A test has the same ones as its service. */
const known = new WeakMap<Model, ResponseValidators>();

function readResponses(model: Model): ResponseValidators {
  const { document, operationOf, schemas } = model;
  // `generate` has validated the schemas.
  const components = closedComponents(readSchemas({ components: decidedComponents('response', schemas) }));
  const ajv = contractAjv({ allErrors: true, verbose: true }, components);
  const coercing = contractAjv({ coerceTypes: true, verbose: true }, components);

  const closed = (schema: unknown) => closedSchema(decidedIn('response', schema, schemas), schemas);

  // Components are shared, so the same schema is the same text.
  const valueCheck = memoize((schema: string) =>
    coercing.compile({ type: 'object', properties: { value: JSON.parse(schema) as JsonObject } }),
  );
  const compiled = memoize((schema: string) => ajv.compile(JSON.parse(schema) as JsonObject));
  const headerCheck = (header: Described): HeaderCheck => {
    const { name, required, schema, written } = header;
    if (isInJson(header))
      return { name, required, isJson: true, validate: compiled(JSON.stringify(closed(written))) };
    const types = schemas.typesOf(schema);
    // Node.js writes each item of a list as a header.
    const isPart = types.has('array') || types.has('object');
    return {
      name,
      required,
      isJson: false,
      validate: valueCheck(isPart ? '{}' : JSON.stringify(closed(schema))),
    };
  };

  const itemCheck = memoize((schema: JsonObject) => compiled(JSON.stringify(closed(schema))));
  const elementCheck = memoize((schema: JsonObject) => compiled(JSON.stringify(schema)));

  const contractOf = memoize(({ headers, content, codes }: Checked): ResponseValidator => {
    const checks = headers.map(headerCheck);
    // A Content-Type that is not declared is a violation by itself.
    const sentAs = (type: string) => matching(content, type) ?? preferredOf(content);
    const bodyCheck = memoize(({ kind, schema }: MediaType) => {
      const isValue = kind === 'json' || kind === 'text';
      const body = schema && isValue ? closed(schema) : undefined;
      const whole = body && codes ? { allOf: [body], properties: { code: { enum: codes } } } : body;
      return { body, validate: whole && compiled(JSON.stringify(whole)) };
    });
    return {
      checkHead: (sent, hasBody) => [
        ...checkHeaders(checks, sent),
        ...checkContent(content, sent['content-type'], hasBody),
      ],
      checkBody(body, type = '') {
        const media = sentAs(type);
        const validate = media && bodyCheck(media).validate;
        if (!validate) return [];
        const kind = concreteKindOf(media, type);
        if (kind !== 'json' && kind !== 'text') return [];
        const text = body.toString();
        const isScalar = kind === 'text' && media.isScalar && essenceOf(type) === 'text/plain';
        const value: unknown = kind === 'json' ? JSON.parse(text) : isScalar ? valueOrText(text) : text;
        return problemsOf(validate, value, 'body');
      },
      checkItem(item, type) {
        const { itemSchema } = sentAs(type) ?? {};
        const text = JSON.stringify(item) as string | undefined;
        if (!itemSchema || text === undefined) return [];
        return problemsOf(itemCheck(itemSchema), JSON.parse(text), 'item');
      },
      checkElement(element) {
        const media = preferredOf(content);
        const items = media && bodyCheck(media).body?.['items'];
        return isObject(items)
          ? problemsOf(elementCheck(items), element, 'element')
          : ['the streamed body is not an array'];
      },
    };
  });

  const described = objectAt(objectAt(document, 'components'), 'headers');
  const headers = headersOfEveryResponse
    .filter((name) => Object.hasOwn(described, name))
    .map((name) => headerOf(name, described[name], schemas));
  const { media = { type: JSON_TYPE, kind: 'json', encoding: {} } } = errorShapesOf(model);
  const errorResponse: Checked = { headers, content: [media] };
  const empty: Checked = { headers, content: [] };
  return (operationId, status) => {
    const response = responseFor(operationOf.get(operationId ?? '')?.responses ?? [], status);
    // Contracts do not declare the 501 of an unfinished service. A `default` without content is not about it.
    const isUnfinished = status === pipelineErrors.not_implemented.status && !response?.media;
    if (response && !isUnfinished) return contractOf(response);
    if (operationId !== undefined && !isUnfinished) return undefined;
    if (status >= 400) return contractOf(errorResponse);
    return status === 204 ? contractOf(empty) : undefined;
  };
}

type Checked = Pick<Response, 'headers' | 'content' | 'codes'>;

function checkHeaders(checks: readonly HeaderCheck[], headers: SentHeaders): string[] {
  return checks.flatMap(({ name, required, isJson, validate }) => {
    const key = name.toLowerCase();
    // A header may be called `constructor`, which every object inherits.
    const value = Object.hasOwn(headers, key) ? headers[key] : undefined;
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    const text = Array.isArray(value) ? value.join(', ') : value;
    const read = isJson ? valueIn(String(text)) : text;
    if (read === undefined) return [`header ${name} is not JSON`];
    return problemsOf(validate, isJson ? read : { value: read }, `header ${name}`);
  });
}

/** Undefined if `text` is not JSON. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, or the text if it is none. */
function valueOrText(text: string): unknown {
  const value = valueIn(text);
  return value === undefined ? text : value;
}

function checkContent(
  content: readonly MediaType[],
  sent: OutgoingHttpHeader | undefined,
  hasBody: boolean,
): string[] {
  if (content.length === 0) {
    return [
      ...(sent === undefined ? [] : [`Content-Type ${String(sent)} without a body in the contract`]),
      ...(hasBody ? ['a body, but the contract has none'] : []),
    ];
  }
  const type = typeof sent === 'string' ? sent : 'none';
  const declared = content.map((media) => media.type).join(' or ');
  return [
    ...(matching(content, type) ? [] : [`Content-Type is ${essenceOf(type)}, not ${declared}`]),
    // Text and bytes may be empty, JSON may not.
    ...(hasBody || !content.every(({ kind }) => kind === 'json') ? [] : ['the body is missing']),
  ];
}

function problemsOf(validate: ValidateFunction, value: unknown, name: string): string[] {
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  // If no branch matches, undeclared properties follow from that and are not reported.
  const isUnion = (at: string) =>
    errors.some((error) => error.instancePath === at && ['oneOf', 'anyOf'].includes(error.keyword));
  const reported = errors.filter(
    (error) => !('unevaluatedProperty' in error.params && isUnion(error.instancePath)),
  );
  return reported.map((error) => `${name}${error.instancePath.replace(/^\/value/, '')} ${wordsFor(error)}`);
}

/** Keywords that say too little without the type of the value. */
const OF_ANY_TYPE = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'not', 'format', 'pattern'];

/** What is wrong with a value: with the name of a property that may not be there, and the type of the value. */
function wordsFor({
  keyword,
  message = 'is invalid',
  params,
  propertyName,
  data: value,
  schema,
}: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty, allowedValues } = params as Record<string, unknown>;
  const extra = additionalProperty ?? unevaluatedProperty;
  if (typeof extra === 'string') return `${message} (${extra}, ${kindOf((value as JsonObject)[extra])})`;
  if (propertyName !== undefined) return `has a property ${propertyName}, whose name ${message}`;
  // Closed: a property of requests alone.
  if (keyword === 'not' && isObject(schema) && Object.keys(schema).length === 0)
    return `must not be in a response (it is ${kindOf(value)})`;
  const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.map(String).join(', ')}` : '';
  return message + allowed + (OF_ANY_TYPE.includes(keyword) ? ` (it is ${kindOf(value)})` : '');
}

/** The type of a value in JSON. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
