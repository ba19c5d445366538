import fc, { type Arbitrary } from 'fast-check';
import type { JsonObject } from '@petstore/contract/json-pointer';
import type { Header } from './credentials.ts';
import type { Operation, Parameter } from './operations.ts';
import { anyTexts, encodings, fittingTexts, verdictOn, verdictOnList, worst, type Verdict } from './texts.ts';
import { anyValues, createFits, fittingValues } from './values.ts';

/** What an operation takes, filled in: the target, the headers and the body of a request. */
export interface Filled {
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string | undefined;
  readonly verdict: Verdict;
}

/** One parameter or the body, filled in or left out. */
interface Part {
  readonly place: string;
  readonly name: string;
  readonly written: string | undefined;
  readonly verdict: Verdict;
}

export interface Inputs {
  /** Nearly all of it keeps to the contract. */
  readonly fitting: Arbitrary<Filled>;
  /** One parameter, or the body, is anything at all; undefined for an operation that takes nothing. */
  readonly unfitting: Arbitrary<Filled> | undefined;
  /** Percent-encoding that RFC 3986 §2.1 does not allow, or that is not UTF-8. */
  readonly malformedPaths: Arbitrary<Filled> | undefined;
  readonly undeclaredQueries: Arbitrary<string>;
}

export function parametersOf(operation: Operation, document: JsonObject): Inputs {
  const fits = createFits(document);
  const parts = [
    ...operation.parameters.map((parameter) => ({
      fitting: partOf(parameter, (schema) => fittingTexts(schema, document), fits),
      any: fc.oneof(
        partOf(parameter, (schema) => anyTexts(schema, document), fits),
        partOf(parameter, (schema) => fittingTexts(schema, document), fits).map((part) =>
          twice(parameter, part),
        ),
      ),
    })),
    ...(operation.body
      ? [
          {
            fitting: bodyPart(operation.body, fittingValues(operation.body.schema, document), fits),
            any: bodyPart(operation.body, anyValues(operation.body.schema, document), fits),
          },
        ]
      : []),
  ];
  const filled = (arbitraries: Arbitrary<Part>[]) =>
    fc.tuple(...arbitraries).map((each) => fill(operation, each));
  const fitting = filled(parts.map((part) => part.fitting));
  const hasPathParameter = operation.parameters.some(({ in: place }) => place === 'path');
  return {
    fitting,
    unfitting:
      parts.length > 0
        ? fc.oneof(
            ...parts.map((bad) => filled(parts.map((part) => (part === bad ? part.any : part.fitting)))),
          )
        : undefined,
    malformedPaths: hasPathParameter
      ? fc
          .tuple(fitting, fc.constantFrom('%', '%1', '%zz', '%c3%28', '%E0%A4%A', '%ff', '%ed%a0%80'))
          .map(([usual, malformed]) => ({
            ...usual,
            target: usual.target.replace(/[^/?]*(?=\?|$)/, malformed),
            verdict: 'invalid',
          }))
      : undefined,
    undeclaredQueries: undeclaredQueries(operation),
  };
}

function partOf(
  parameter: Parameter,
  textsFor: (schema: JsonObject) => Arbitrary<string>,
  fits: ReturnType<typeof createFits>,
): Arbitrary<Part> {
  const { name, in: place, required, schema, joined } = parameter;
  const judge = (text: string) => verdictOn(text, schema, fits);
  const encoders = fc.tuple(fc.constantFrom(...Object.values(encodings)), fc.boolean());
  const inQuery = ([encode, isRare]: readonly [(text: string) => string, boolean]) =>
    isRare && encode !== encodings.least ? encode : encodings.usual;
  const of = (written: string | undefined, verdict: Verdict): Part => ({ place, name, written, verdict });
  const absent = of(undefined, required ? 'invalid' : 'valid');
  const present =
    schema['type'] === 'array'
      ? fc
          .tuple(fc.array(textsFor(schema['items'] as JsonObject), { minLength: 1, maxLength: 6 }), encoders)
          .map(([texts, encoder]) => {
            const written = texts.map(inQuery(encoder));
            const query = joined
              ? `${name}=${written.join()}`
              : written.map((each) => `${name}=${each}`).join('&');
            return of(query, verdictOnList(texts, schema, fits));
          })
      : fc.tuple(textsFor(schema), encoders).map(([text, encoder]) => {
          const [encode, isRare] = encoder;
          if (place === 'path') {
            // An empty segment is another path, and so no value of this one.
            const value = text === '' ? ' ' : text;
            return of((isRare ? encode : encodings.usual)(value), judge(value));
          }
          if (place === 'header') {
            const value = text.replace(/[^\x21-\x7e]/g, '');
            return of(value, judge(value));
          }
          return of(`${encodings.usual(name)}=${inQuery(encoder)(text)}`, judge(text));
        });
  return place === 'path'
    ? present
    : fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: fc.constant(absent) });
}

/** What is no list, and in the query, sent twice. */
function twice({ schema, joined, in: place }: Parameter, part: Part): Part {
  const isOne = place === 'query' && (joined || schema['type'] !== 'array');
  return isOne && part.written !== undefined
    ? { ...part, written: `${part.written}&${part.written}`, verdict: 'invalid' }
    : part;
}

function bodyPart(
  { schema, required }: NonNullable<Operation['body']>,
  values: Arbitrary<unknown>,
  fits: ReturnType<typeof createFits>,
): Arbitrary<Part> {
  const present = values.map((value): Part => {
    const written = JSON.stringify(value);
    const verdict = fits(schema, JSON.parse(written)) ? 'valid' : 'invalid';
    return { place: 'body', name: 'body', written, verdict };
  });
  const absent: Part = {
    place: 'body',
    name: 'body',
    written: undefined,
    verdict: required ? 'invalid' : 'valid',
  };
  return fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: fc.constant(absent) });
}

function fill({ path }: Operation, parts: readonly Part[]): Filled {
  const at = (place: string) => parts.filter((part) => part.place === place && part.written !== undefined);
  const byName = new Map(at('path').map(({ name, written }) => [name, written ?? '']));
  const query = at('query')
    .map(({ written }) => written)
    .join('&');
  const filledPath = path.replace(/\{([^}]+)\}/g, (_, name: string) => byName.get(name) ?? '');
  const body = at('body')[0]?.written;
  return {
    target: query === '' ? filledPath : `${filledPath}?${query}`,
    headers: [
      ...at('header').map(({ name, written }): Header => [name, written ?? '']),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body,
    verdict: worst(parts.map(({ verdict }) => verdict)),
  };
}

/** What frameworks treat as something of their own is among the names. */
const NAMES = [
  'page',
  'limit',
  'status',
  '_method',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'a[b]',
  'a[]',
];

function undeclaredQueries({ parameters }: Operation): Arbitrary<string> {
  const declared = new Set(parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name));
  const names = fc
    .oneof(fc.constantFrom(...NAMES), fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }))
    .map((name) => (declared.has(name) ? `${name}_` : name));
  const values = fc.string({ maxLength: 8, unit: 'binary' });
  return fc
    .tuple(names, fc.option(values, { nil: undefined }))
    .map(([name, value]) =>
      value === undefined ? encodings.usual(name) : `${encodings.usual(name)}=${encodings.usual(value)}`,
    );
}

export interface MalformedBody {
  readonly what: string;
  readonly body: string;
  readonly headers: readonly Header[];
  readonly status: number;
}

const json: Header = ['Content-Type', 'application/json'];

export const bodies = {
  malformed: fc.oneof(
    fc
      .constantFrom('{', '{"a":}', "{'a':1}", 'NaN', '[1,]', '{"a":1}{"b":2}', '\u0000')
      .map((body): MalformedBody => ({
        what: 'a body that is not JSON',
        body,
        headers: [json],
        status: 400,
      })),
    fc
      .constantFrom('text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonp')
      .map((type): MalformedBody => ({
        what: 'a body of another media type',
        body: '{}',
        headers: [['Content-Type', type]],
        status: 415,
      })),
  ),
};
