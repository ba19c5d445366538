import { contractAjv } from '@kit/contract/contract-ajv';
import type { OutgoingHttpHeader } from 'node:http';
import type { Contract } from '@kit/contract';
import { pipelineErrors } from '@kit/contract/pipeline-errors';
import { headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { closedComponents, closedSchema } from '@kit/contract/closed-schema';
import { dereferenced, describedOperation, objectAt } from '@kit/contract/described-operation';
import { errorShapesOf } from '@kit/contract/error-shape';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { entryOf, essenceOf, isJson, preferred } from '@kit/contract/media-type';
import { componentsIn, schemaIn } from '@kit/contract/schema-view';
import { JSON_TYPE } from '../http/raw-json.ts';
import { memoize } from '../memoize.ts';

/** The headers of a response, by lower-case name. */
export type SentHeaders = Readonly<Record<string, OutgoingHttpHeader>>;

/** The contract of one response: each function returns violations. */
export interface ResponseValidator {
  checkHead(headers: SentHeaders, hasBody: boolean): string[];
  /** `body` as written: text or bytes. */
  checkBody(body: string | Buffer): string[];
  checkElement(element: unknown): string[];
}

interface HeaderCheck {
  readonly name: string;
  readonly required: boolean;
  readonly validate: ValidateFunction;
}

/** Finds the validator of an operation's response, or of 404, 405 and OPTIONS. Undefined if it is not declared. */
export type ResponseValidators = (
  operationId: string | undefined,
  status: number,
) => ResponseValidator | undefined;

/** Reads every response of the document. Compiles each on first use. */
export function responseValidatorsOf({
  document,
  operations,
}: Pick<Contract, 'document' | 'operations'>): ResponseValidators {
  // `generate` has validated the schemas.
  const ajv = contractAjv({ allErrors: true });
  const coercing = contractAjv({ coerceTypes: true });

  const inResponses = (schema: unknown) =>
    schemaIn('response', schema, { resolve: (child) => dereferenced(child, document) });
  const closed = (schema: unknown) => closedSchema(inResponses(schema));
  const components = closedComponents({ components: componentsIn('response', document) });
  for (const item of [ajv, coercing]) item.addSchema(components);

  const valueCheck = memoize((header: JsonObject) => {
    const { type } = dereferenced(header['schema'], document);
    // The handler serializes lists and objects in headers.
    const value = type === 'array' || type === 'object' ? {} : closed(header['schema']);
    return coercing.compile({ type: 'object', properties: { value } });
  });

  const compiled = memoize((schema: string) => ajv.compile(JSON.parse(schema) as JsonObject));
  const elementCheck = memoize((schema: JsonObject) => compiled(JSON.stringify(schema)));

  // Operations share most responses, and responses share most headers.
  const contractOf = memoize((response: JsonObject): ResponseValidator => {
    const headers = Object.entries(objectAt(response, 'headers')).map(([name, value]): HeaderCheck => {
      const header = dereferenced(value, document);
      return { name, required: header['required'] === true, validate: valueCheck(header) };
    });
    const content = objectAt(response, 'content');
    const [mediaType, media] = preferred(content) ?? [];
    const body = isObject(media) ? closed(dereferenced(media['schema'], document)) : undefined;
    const codes = response['x-error-codes'];
    const schema = body && codes ? { allOf: [body], properties: { code: { enum: codes } } } : body;
    const validate = schema && compiled(JSON.stringify(schema));
    const items = body?.['items'];
    return {
      checkHead: (sent, hasBody) => [
        ...checkHeaders(headers, sent),
        ...checkContent(Object.keys(content), sent['content-type'], hasBody),
      ],
      checkBody: (body) =>
        validate && isJson(mediaType ?? '') ? problemsOf(validate, JSON.parse(body.toString()), 'body') : [],
      checkElement: (element) =>
        isObject(items)
          ? problemsOf(elementCheck(items), element, 'element')
          : ['the streamed body is not an array'],
    };
  });

  const byOperation = new Map<string, JsonObject>();
  for (const [operationId, { method, path }] of Object.entries(operations)) {
    const { definition } = describedOperation(document, { method, path });
    byOperation.set(operationId, objectAt(definition, 'responses'));
  }

  const described = objectAt(objectAt(document, 'components'), 'headers');
  const names = headersOfEveryResponse.filter((name) => Object.hasOwn(described, name));
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const { content = { [JSON_TYPE]: {} } } = errorShapesOf(document);
  const errorResponse = { headers, content };
  const empty = { headers };
  return (operationId, status) => {
    const entry = entryOf(byOperation.get(operationId ?? '') ?? {}, status);
    const response = entry === undefined ? undefined : dereferenced(entry, document);
    // Contracts do not declare the 501 of an unfinished service. A `default` without content is not about it.
    const isUnfinished = status === pipelineErrors.not_implemented.status && !response?.['content'];
    if (response && !isUnfinished) return contractOf(response);
    if (operationId !== undefined && !isUnfinished) return undefined;
    if (status >= 400) return contractOf(errorResponse);
    return status === 204 ? contractOf(empty) : undefined;
  };
}

function checkHeaders(checks: readonly HeaderCheck[], headers: SentHeaders): string[] {
  return checks.flatMap(({ name, required, validate }) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    return problemsOf(validate, { value: Array.isArray(value) ? value.join(', ') : value }, `header ${name}`);
  });
}

function checkContent(
  mediaTypes: readonly string[],
  sent: OutgoingHttpHeader | undefined,
  hasBody: boolean,
): string[] {
  if (mediaTypes.length === 0) {
    return [
      ...(sent === undefined ? [] : [`Content-Type ${String(sent)} without a body in the contract`]),
      ...(hasBody ? ['a body, but the contract has none'] : []),
    ];
  }
  const type = typeof sent === 'string' ? essenceOf(sent) : 'none';
  const isDeclared = mediaTypes.some((mediaType) => isInRange(type, essenceOf(mediaType)));
  return [
    ...(isDeclared ? [] : [`Content-Type is ${type}, not ${mediaTypes.join(' or ')}`]),
    // Text and bytes may be empty, JSON may not.
    ...(hasBody || !mediaTypes.every(isJson) ? [] : ['the body is missing']),
  ];
}

/** Whether a media type matches the declared type or range (RFC 9110 §12.5.1). */
function isInRange(type: string, declared: string): boolean {
  const [main = '', sub] = declared.split('/');
  return type === declared || declared === '*/*' || (sub === '*' && type.startsWith(`${main}/`));
}

function problemsOf(validate: ValidateFunction, value: unknown, name: string): string[] {
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // If no branch matches, undeclared properties follow from that and are not reported.
  const isUnion = (at: string) =>
    errors.some((error) => error.instancePath === at && ['oneOf', 'anyOf'].includes(error.keyword));
  const reported = errors.filter(
    (error) => !('unevaluatedProperty' in error.params && isUnion(error.instancePath)),
  );
  return reported.map(({ instancePath, message = '', params }) => {
    const extra = 'unevaluatedProperty' in params ? ` (${String(params['unevaluatedProperty'])})` : '';
    return `${name}${instancePath.replace(/^\/value/, '')} ${message}${extra}`;
  });
}
