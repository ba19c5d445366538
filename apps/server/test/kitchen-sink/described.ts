import { headersOfDeprecation, headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import { dereferenced, objectAt } from '@kit/contract/described-operation';
import type { JsonObject } from '@kit/contract/json-pointer';
import { componentsIn, schemaIn } from '@kit/contract/schema-view';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';
import {
  createFits,
  fittingTexts,
  fittingValues,
  hasExactNumbers,
  operationsIn,
  textIn,
  verdictOn,
  verdictOnList,
  type Operation,
} from '@kit/server/fuzzer/inputs';

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

export interface Described extends Operation {
  readonly calls: Arbitrary<Call>;
  readonly answers: Arbitrary<Answer>;
}

/** Every operation of `contract`, with the calls of it and the answers to them that keep to the contract. */
export function describe(contract: Parameters<typeof operationsIn>[0]): Described[] {
  const { document } = contract;
  const components = { ...objectAt(document, 'components'), ...componentsIn('response', document) };
  return operationsIn(contract).map((operation) => ({
    ...operation,
    calls: callsOf(operation),
    answers: answersTo(operation, { ...document, components }),
  }));
}

function callsOf({ parameters, body, document }: Operation): Arbitrary<Call> {
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
            .map(({ name, schema, value = valueOfDefault(schema) }) => [name, value])
            .filter(([, value]) => value !== undefined),
        ) as JsonObject;
      const given = { path: at('path'), query: at('query'), headers: at('header') };
      return {
        input,
        given: { ...given, body: content === undefined ? undefined : withDefaults?.(content) },
      };
    });
}

function valueOfDefault({ default: standard, format }: JsonObject): unknown {
  return format === 'int64' && typeof standard === 'number' ? BigInt(standard) : standard;
}

/** Values of a parameter as its handler is given them: int64 as bigint. */
function parameterValues(schema: JsonObject, place: string, document: JsonObject): Arbitrary<unknown> {
  const fits = createFits(document);
  if (schema['type'] === 'array') {
    const items = dereferenced(schema['items'], document);
    return fc
      .array(fittingTexts(items, document), { maxLength: 6 })
      .filter((texts) => verdictOnList(texts, schema, fits) !== 'invalid')
      .map((texts) => texts.map((text) => valueOf(text, items)));
  }
  // URLs take those two for steps to another path (RFC 3986 §5.2.4), even escaped.
  const isStep = (text: string) => place === 'path' && ['.', '..'].includes(text);
  return fittingTexts(schema, document)
    .map((text) => textIn(place, text))
    .filter((text) => verdictOn(text, schema, fits) !== 'invalid' && !isStep(text))
    .map((text) => valueOf(text, schema));
}

function valueOf(text: string, { type, format }: JsonObject): unknown {
  const types = [type].flat();
  if (text === '' && types.includes('null')) return null;
  if (types.includes('boolean')) return text === 'true';
  if (format === 'int64') return BigInt(text);
  return types.includes('integer') || types.includes('number') ? Number(text) : text;
}

function bodyValues(schema: JsonObject, document: JsonObject): Arbitrary<unknown> {
  const fits = createFits(document);
  return fittingValues(schema, document)
    .filter((value) => fits(schema, value) && hasExactNumbers(value))
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

/** Whether the fields of a body stand beside the parameters in the client's input. */
function isSideBySide(schema: JsonObject, parameters: Operation['parameters']): boolean {
  const names = Object.keys(objectAt(schema, 'properties'));
  return (
    schema['type'] === 'object' &&
    names.length > 0 &&
    !['allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in schema) &&
    !schema['additionalProperties'] &&
    !parameters.some(({ name }) => names.includes(name))
  );
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

function answersTo({ definition }: Operation, document: JsonObject): Arbitrary<Answer> {
  const ofPipeline: readonly string[] = definition['deprecated']
    ? [...headersOfEveryResponse, ...headersOfDeprecation]
    : headersOfEveryResponse;
  return fc.oneof(
    ...Object.entries(objectAt(definition, 'responses')).map(([status, entry]) => {
      const response = dereferenced(entry, document);
      const headers = Object.entries(objectAt(response, 'headers'))
        .filter(([name]) => !ofPipeline.includes(name))
        .map(([name, header]) => ({ name, header: dereferenced(header, document) }));
      const values = headers.map(({ name, header }) => {
        return [name, parameterValues(dereferenced(header['schema'], document), 'header', document)] as const;
      });
      const requiredKeys = headers
        .filter(({ header }) => header['required'] === true)
        .map(({ name }) => name);
      return fc.record({
        status: fc.constant(Number(status)),
        headers: fc.record(Object.fromEntries(values), { requiredKeys }),
        body: answerBodies(Number(status), response, document),
      });
    }),
  );
}

function answerBodies(status: number, response: JsonObject, document: JsonObject): Arbitrary<unknown> {
  const [[mediaType, media] = []] = Object.entries(objectAt(response, 'content'));
  const codes = response['x-error-codes'] as string[] | undefined;
  if (media === undefined) return fc.constant(undefined);
  if (codes)
    return fc.record({ code: fc.constantFrom(...codes), message: fc.string(), status: fc.constant(status) });
  const resolve = (child: unknown) => dereferenced(child, document);
  const schema = schemaIn('response', resolve(resolve(media)['schema']), { resolve }) as JsonObject;
  if (mediaType === 'application/json') return bodyValues(schema, document);
  return schema['format'] === 'binary'
    ? fc.uint8Array({ minLength: 1, maxLength: 200 })
    : fc.string({ unit: 'grapheme', minLength: 1 });
}
