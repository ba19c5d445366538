import type { Parameter } from '@petstore/contract/described-operation';
import type { JsonObject } from '@petstore/contract/json-pointer';
import fc, { type Arbitrary } from 'fast-check';
import type { Header, Operation } from './operations.ts';
import {
  anyTexts,
  encodings,
  fittingTexts,
  textIn,
  verdictOn,
  verdictOnList,
  worst,
  type Verdict,
} from './texts.ts';
import { anyValues, createFits, fittingValues, hasExactNumbers, type Fits } from './values.ts';

/** What an operation takes, filled in: the target, the headers and the body of a request. */
export interface Filled {
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string | undefined;
  readonly verdict: Verdict;
}

/** Stands for a number; no text is like it. */
const MARK = '\u{1f522}number';

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
}

export function inputsOf(operation: Operation): Inputs {
  const { document, parameters, body } = operation;
  const fits = createFits(document);
  const parts = parameters.map((parameter) => {
    const fitting = partOf(parameter, (schema) => fittingTexts(schema, document), fits);
    const any = partOf(parameter, (schema) => anyTexts(schema, document), fits);
    return {
      fitting,
      any: fc.oneof(
        any,
        fitting.map((part) => twice(parameter, part)),
      ),
    };
  });
  if (body) {
    parts.push({
      fitting: bodyPart(body, fittingValues(body.schema, document), fits),
      any: fc.oneof(
        bodyPart(body, anyValues(body.schema, document), fits),
        roundedBodies(fittingValues(body.schema, document)),
      ),
    });
  }
  const filled = (all: Arbitrary<Part>[]) => fc.tuple(...all).map((each) => fill(operation, each));
  const fitting = filled(parts.map((part) => part.fitting));
  const unfitting = parts.map((bad) => filled(parts.map((part) => (part === bad ? part.any : part.fitting))));
  const malformed = fc.constantFrom('%', '%1', '%zz', '%c3%28', '%E0%A4%A', '%ff', '%ed%a0%80');
  return {
    fitting,
    unfitting: unfitting.length > 0 ? fc.oneof(...unfitting) : undefined,
    malformedPaths: parameters.some(({ in: place }) => place === 'path')
      ? fc.tuple(fitting, malformed).map(([usual, segment]) => ({
          ...usual,
          target: usual.target.replace(/[^/?]*(?=\?|$)/, segment),
          verdict: 'invalid',
        }))
      : undefined,
  };
}

/** Where `present` or nothing is sent: once in six nothing. */
const perhaps = (present: Arbitrary<Part>, absent: Part) =>
  fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: fc.constant(absent) });

function partOf(
  { name, in: place, required, schema, explode }: Parameter,
  textsFor: (schema: JsonObject) => Arbitrary<string>,
  fits: Fits,
): Arbitrary<Part> {
  const encoders = fc
    .tuple(fc.constantFrom(...Object.values(encodings)), fc.boolean())
    .map(([encode, isRare]) => (isRare ? encode : encodings.usual));
  // A query splits at some of what a segment may have.
  const inQuery = (encode: (text: string) => string) =>
    encode === encodings.least ? encodings.usual : encode;
  const of = (written: string | undefined, verdict: Verdict): Part => ({ place, name, written, verdict });
  if (schema['type'] === 'array') {
    const texts = fc.array(textsFor(schema['items'] as JsonObject), { minLength: 1, maxLength: 6 });
    const present = fc.tuple(texts, encoders).map(([all, encode]) => {
      const written = all.map(inQuery(encode));
      const query = explode
        ? written.map((each) => `${name}=${each}`).join('&')
        : `${name}=${written.join()}`;
      return of(query, verdictOnList(all, schema, fits));
    });
    return perhaps(present, of(undefined, required ? 'invalid' : 'valid'));
  }
  const present = fc.tuple(textsFor(schema), encoders).map(([text, encode]) => {
    const value = textIn(place, text);
    const query = () => `${encodings.usual(name)}=${inQuery(encode)(value)}`;
    const written = place === 'path' ? encode(value) : place === 'header' ? value : query();
    return of(written, verdictOn(value, schema, fits));
  });
  return place === 'path' ? present : perhaps(present, of(undefined, required ? 'invalid' : 'valid'));
}

/** What is no list, and in the query, sent twice. */
function twice({ schema, explode, in: place }: Parameter, part: Part): Part {
  const isOne = place === 'query' && !(explode && schema['type'] === 'array');
  return isOne && part.written !== undefined
    ? { ...part, written: `${part.written}&${part.written}`, verdict: 'invalid' }
    : part;
}

const writtenBody = (written: string | undefined, verdict: Verdict): Part => ({
  place: 'body',
  name: 'body',
  written,
  verdict,
});

function bodyPart(
  { schema, required }: NonNullable<Operation['body']>,
  values: Arbitrary<unknown>,
  fits: Fits,
): Arbitrary<Part> {
  const present = values.map((value) => {
    const written = JSON.stringify(value);
    if (!fits(schema, JSON.parse(written))) return writtenBody(written, 'invalid');
    return writtenBody(written, hasExactNumbers(value) ? 'valid' : 'either');
  });
  return perhaps(present, writtenBody(undefined, required ? 'invalid' : 'valid'));
}

/** Bodies with whole numbers that JSON.parse would make others of. */
function roundedBodies(values: Arbitrary<unknown>): Arbitrary<Part> {
  const rounded = fc.constantFrom('9007199254740993', '9007199254740990.6');
  return fc.tuple(values, rounded).map(([value, number]) => {
    const mark = (_key: string, each: unknown) => (Number.isInteger(each) ? MARK : each);
    const marked = JSON.stringify(value, mark);
    const written = marked.replaceAll(JSON.stringify(MARK), number);
    return writtenBody(written, written === marked ? 'either' : 'invalid');
  });
}

function fill({ path }: Operation, parts: readonly Part[]): Filled {
  const at = (place: string) =>
    parts.flatMap(({ place: its, name, written }) =>
      its === place && written !== undefined ? [[name, written] as const] : [],
    );
  const inPath = new Map(at('path'));
  const filledPath = path.replace(/\{([^}]+)\}/g, (_, name: string) => inPath.get(name) ?? '');
  const query = at('query').map(([, written]) => written);
  const body = at('body')[0]?.[1];
  return {
    target: query.length === 0 ? filledPath : `${filledPath}?${query.join('&')}`,
    headers: [
      ...at('header'),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body,
    verdict: worst(parts.map(({ verdict }) => verdict)),
  };
}
