import fc, { type Arbitrary } from 'fast-check';
import type { JsonObject } from '@petstore/contract/json-pointer';
import type { Header } from './credentials.ts';
import type { Operation, Parameter } from './operations.ts';
import { anyTexts, encodings, fittingTexts, verdictOn, type Verdict } from './texts.ts';
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
    ...operation.parameters
      .filter(({ in: place }) => place !== 'cookie')
      .map((parameter) => ({
        fitting: partOf(parameter, fittingTexts(parameter.schema, document), fits),
        any: partOf(parameter, anyTexts(parameter.schema, document), fits),
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
  { name, in: place, required, schema }: Parameter,
  texts: Arbitrary<string>,
  fits: ReturnType<typeof createFits>,
): Arbitrary<Part> {
  const present = fc
    .tuple(texts, fc.constantFrom(...Object.values(encodings)), fc.boolean())
    .map(([text, encode, isRare]): Part => {
      if (place === 'path') {
        // An empty segment is another path, and so no value of this one.
        const value = text === '' ? ' ' : text;
        return { place, name, written: (isRare ? encode : encodings.usual)(value), verdict: judge(value) };
      }
      if (place === 'header') {
        const value = text.replace(/[^\x21-\x7e]/g, '');
        return { place, name, written: value, verdict: judge(value) };
      }
      // OpenAPI 3.1 §4.8.12.2: whether a value may be empty is the server's to say.
      const verdict = text === '' ? 'either' : judge(text);
      const written = isRare && encode !== encodings.least ? encode(text) : encodings.usual(text);
      return { place, name, written: `${encodings.usual(name)}=${written}`, verdict };
    });
  const judge = (text: string) => verdictOn(text, schema, fits);
  const absent: Part = { place, name, written: undefined, verdict: required ? 'invalid' : 'valid' };
  return place === 'path'
    ? present
    : fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: fc.constant(absent) });
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

function worst(verdicts: readonly Verdict[]): Verdict {
  return (['invalid', 'either'] as const).find((each) => verdicts.includes(each)) ?? 'valid';
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
