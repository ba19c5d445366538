import { headersOfDeprecation, headersOfEveryReply } from '@petstore/contract';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import { dereferenced, objectAt } from '@petstore/contract/described-operation';
import { operationsIn, type Operation } from '../fuzz/operations.ts';
import { createFits, fittingValues } from '../fuzz/values.ts';

/* What the contract says of a call and of its reply, read independently of what is generated from it. */

/** The values that a handler is to be given, by the places of parameters, with the body. */
export interface Given {
  readonly path: JsonObject;
  readonly query: JsonObject;
  readonly headers: JsonObject;
  readonly body: unknown;
}

export interface Call {
  /** What is passed to the client's method. */
  readonly input: JsonObject;
  /** What the handler receives of it. */
  readonly given: Given;
}

export interface Answer {
  readonly status: number;
  readonly headers?: JsonObject;
  readonly body?: unknown;
}

/** A field of an object that is an integer, and how its values are put into it: as they are, or in a list. */
export interface IntegerField {
  readonly name: string;
  readonly isList: boolean;
}

export interface Described extends Operation {
  /** Whether it is served, and published nowhere. */
  readonly isInternal: boolean;
  /** The fields of the body that are integers, or lists of them: those that JSON numbers cannot hold are refused. */
  readonly integerFields: readonly IntegerField[];
  /** Those of its replies with the status 200 that have 64 bits. */
  readonly int64Answers: readonly IntegerField[];
  readonly calls: Arbitrary<Call>;
  readonly answers: Arbitrary<Answer>;
}

/** Every operation of `document`, with the calls of it and the answers to them that keep to the contract. */
export function describe(document: JsonObject): Described[] {
  const sent = seenBy(document, 'readOnly');
  const received = seenBy(document, 'writeOnly');
  const answering = operationsIn(received);
  return operationsIn(sent).map((operation, index) => ({
    ...operation,
    isInternal: definitionOf(operation.id, document)['x-internal'] === true,
    integerFields: integerFieldsOf(operation.body?.schema, sent),
    int64Answers: integerFieldsOf(answerSchemaOf(operation.id, received), received, 'int64'),
    calls: callsOf(operation, sent),
    answers: answersTo(answering[index] ?? operation, received),
  }));
}

function integerFieldsOf(schema: JsonObject = {}, document: JsonObject, wanted?: string): IntegerField[] {
  return Object.entries(objectAt(schema, 'properties')).flatMap(([name, property]) => {
    const { items, ...own } = dereferenced(property, document);
    const isList = items !== undefined;
    const { type, format } = isList ? dereferenced(items, document) : own;
    const isMeant = [type].flat().includes('integer') && (!wanted || format === wanted);
    return isMeant ? [{ name, isList }] : [];
  });
}

/** The schema of the JSON body of a 200. */
function answerSchemaOf(id: string, document: JsonObject): JsonObject {
  const response = dereferenced(objectAt(definitionOf(id, document), 'responses')['200'], document);
  return dereferenced(objectAt(objectAt(response, 'content'), 'application/json')['schema'], document);
}

/** `document` without the properties that are `hidden`; what has a default may be left out of requests. */
function seenBy(document: JsonObject, hidden: 'readOnly' | 'writeOnly'): JsonObject {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (!isObject(value) || !isObject(value['properties'])) return value;
    const shown = Object.entries(value['properties']).filter(
      ([, property]) => dereferenced(property, document)[hidden] !== true,
    );
    const properties = Object.fromEntries(shown) as Record<string, JsonObject>;
    const isNeeded = (name: string) =>
      (!(name in objectAt(value, 'properties')) || name in properties) &&
      !(hidden === 'readOnly' && properties[name] && 'default' in properties[name]);
    const required = Array.isArray(value['required']) ? (value['required'] as string[]) : [];
    return { ...value, properties, required: required.filter(isNeeded) };
  }) as JsonObject;
}

function callsOf({ parameters, body }: Operation, document: JsonObject): Arbitrary<Call> {
  const values = parameters.map(({ name, in: place, required, schema }) => {
    const present = parameterValues(schema, place, document).map((value) => ({ name, place, schema, value }));
    return required ? present : fc.option(present, { nil: { name, place, schema, value: undefined } });
  });
  const bodies = body ? bodyValues(body.schema, document) : fc.constant(undefined);
  const withDefaults = body && defaultsOf(body.schema, document);
  const isFlat = body?.required === true && isSideBySide(body.schema, parameters);
  return fc
    .tuple(fc.tuple(...values), body?.required === false ? fc.option(bodies, { nil: undefined }) : bodies)
    .map(([parts, content]) => {
      const passed = parts.filter(({ value }) => value !== undefined);
      const input: JsonObject = Object.fromEntries(passed.map(({ name, value }) => [name, value]));
      if (isFlat) Object.assign(input, content);
      else if (content !== undefined) input['body'] = content;
      const at = (wanted: string) =>
        Object.fromEntries(
          parts
            .filter(({ place, value }) => place === wanted && !(Array.isArray(value) && value.length === 0))
            .map(({ name, schema, value }) => [name, value ?? valueOfDefault(value, schema)])
            .filter(([, value]) => value !== undefined),
        ) as JsonObject;
      return {
        input,
        given: {
          path: at('path'),
          query: at('query'),
          headers: at('header'),
          body: content === undefined ? undefined : withDefaults?.(content),
        },
      };
    });
}

function valueOfDefault(value: unknown, schema: JsonObject): unknown {
  if (value === null) return null;
  const { default: standard, format } = schema;
  return format === 'int64' && typeof standard === 'number' ? BigInt(standard) : standard;
}

/** Values of a parameter as its handler is given them: int64 as bigint. */
function parameterValues(schema: JsonObject, place: string, document: JsonObject): Arbitrary<unknown> {
  const { type, format, minimum, maximum } = schema;
  if (format === 'int64' && Array.isArray(type))
    return fc.option(parameterValues({ ...schema, type: 'integer' }, place, document));
  if (type === 'array') {
    const items = parameterValues(dereferenced(schema['items'], document), place, document);
    const minLength = Number(schema['minItems'] ?? 0);
    const lengths = { minLength, maxLength: Math.min(Number(schema['maxItems'] ?? 6), minLength + 6) };
    return schema['uniqueItems'] === true ? fc.uniqueArray(items, lengths) : fc.array(items, lengths);
  }
  if (type === 'integer' && format === 'int64') {
    const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
    return fc.bigInt({
      min: typeof minimum === 'number' ? BigInt(minimum) : least,
      max: typeof maximum === 'number' ? BigInt(maximum) : most,
    });
  }
  const fits = createFits(document);
  const values = fittingValues(schema, document).filter((value) => fits(schema, value));
  // A segment without anything, or of dots, is another path (RFC 3986 §5.2.4); a header has no spaces around it (RFC 9110 §5.5).
  if (place === 'path') return values.filter((value) => !/^\.{0,2}$/.test(String(value)));
  return place === 'header'
    ? values.map((value) =>
        typeof value === 'string' ? value.replaceAll(/[^\x20-\x7e]/g, '~').trim() || '~' : value,
      )
    : values;
}

function bodyValues(schema: JsonObject, document: JsonObject): Arbitrary<unknown> {
  const fits = createFits(document);
  return fittingValues(schema, document)
    .filter((value) => fits(schema, value) && hasExactNumbers(value))
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

/** Whether no whole number in `value` is beyond 2^53−1: those are refused in bodies, in both directions. */
function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers);
}

/** Whether the fields of a body stand beside the parameters in the client's input. */
function isSideBySide(schema: JsonObject, parameters: Operation['parameters']): boolean {
  const names = Object.keys(objectAt(schema, 'properties'));
  const isPlain =
    schema['type'] === 'object' &&
    names.length > 0 &&
    !['allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in schema) &&
    !(isObject(schema['additionalProperties']) || schema['additionalProperties'] === true);
  return isPlain && !parameters.some(({ name }) => names.includes(name));
}

/** A value as the handler receives it: fields that have a default and were left out are filled in. */
function defaultsOf(schema: JsonObject, document: JsonObject): (value: unknown) => unknown {
  const ajv = new Ajv2020({ strict: false, useDefaults: true, validateFormats: false });
  const fill = ajv.compile({ properties: { value: schema }, components: document['components'] });
  return (value) => {
    const holder = { value: structuredClone(value) };
    fill(holder);
    return holder.value;
  };
}

const pipelineHeaders: readonly string[] = [...headersOfEveryReply, ...headersOfDeprecation];

function answersTo({ id }: Operation, document: JsonObject): Arbitrary<Answer> {
  const responses = objectAt(definitionOf(id, document), 'responses');
  const isDeprecated = definitionOf(id, document)['deprecated'] === true;
  return fc.oneof(
    ...Object.entries(responses).map(([text, entry]): Arbitrary<Answer> => {
      const status = Number(text);
      const response = dereferenced(entry, document);
      const codes = response['x-error-codes'] as string[] | undefined;
      const [[mediaType, media] = []] = Object.entries(objectAt(response, 'content'));
      const schema = dereferenced(dereferenced(media, document)['schema'], document);
      const body =
        media === undefined
          ? fc.constant(undefined)
          : codes
            ? fc.record({
                code: fc.constantFrom(...codes),
                message: fc.string(),
                status: fc.constant(status),
              })
            : mediaType === 'application/json'
              ? bodyValues(schema, document)
              : schema['format'] === 'binary'
                ? fc.uint8Array({ minLength: 1, maxLength: 200 })
                : fc.string({ unit: 'grapheme', minLength: 1 });
      const headers = Object.entries(objectAt(response, 'headers'))
        .filter(
          ([name]) =>
            !(isDeprecated ? pipelineHeaders : (headersOfEveryReply as readonly string[])).includes(name),
        )
        .map(([name, header]) => [name, dereferenced(header, document)] as const);
      return fc.record({
        status: fc.constant(status),
        headers: fc.record(
          Object.fromEntries(
            headers.map(([name, header]) => [
              name,
              parameterValues(dereferenced(header['schema'], document), 'header', document),
            ]),
          ),
          { requiredKeys: headers.filter(([, header]) => header['required'] === true).map(([name]) => name) },
        ),
        body,
      });
    }),
  );
}

/** The definition of the operation `id`. */
function definitionOf(id: string, document: JsonObject): JsonObject {
  const items = Object.values(objectAt(document, 'paths')).map((item) => dereferenced(item, document));
  const definitions = items.flatMap((item) => Object.values(item)).filter(isObject);
  return definitions.find(({ operationId }) => operationId === id) ?? {};
}
