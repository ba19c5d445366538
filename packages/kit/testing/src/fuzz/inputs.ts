import type { Parameter } from '@contract-kit/core/model';
import type { JsonObject } from '@contract-kit/core/json';
import { encodedTemplate, isJson, writePath, type ParameterStyle } from '@contract-kit/core/http';
import fc, { type Arbitrary } from 'fast-check';
import { BOUNDARY, jsonFilling, otherFilling } from './bodies.ts';
import { perhaps, type Filling, type Part } from './filling.ts';
import type { Header, Operation } from './operations.ts';
import {
  anyTexts,
  everySign,
  fittingTexts,
  isScalarOrList,
  itemIn,
  textIn,
  textOf,
  verdictOn,
  verdictOnLists,
  worst,
  writtenAs,
  type Verdict,
} from './texts.ts';
import { fittingValues, hasExactNumbers, type Making } from './values.ts';

/** Generated target, headers and body of a request. */
export interface Filled {
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string | undefined;
  readonly verdict: Verdict;
  /** What is invalid, such as `the query parameter limit`. */
  readonly invalid: readonly string[];
}

export interface Inputs {
  /** Nearly all of them satisfy the contract. */
  readonly fitting: Arbitrary<Filled>;
  /** One parameter, or the body, is arbitrary. Undefined for an operation without input. */
  readonly unfitting: Arbitrary<Filled> | undefined;
  /** The samples of all parameters and of the body; undefined if one has none. */
  readonly sample: Filled | undefined;
}

export function inputsOf(operation: Operation): Inputs {
  const { making, parameters, body } = operation;
  const parts = parameters.map((parameter) =>
    isScalarOrList(parameter)
      ? scalarFilling(parameter, making, literalsBeside(operation, parameter))
      : structuredFilling(parameter, making),
  );
  if (body) parts.push(body.media.kind === 'json' ? jsonFilling(body, making) : otherFilling(body, making));
  const filled = (all: Arbitrary<Part>[]) => fc.tuple(...all).map((item) => fill(operation, item));
  const unfitting = parts.map((bad) => filled(parts.map((part) => (part === bad ? part.any : part.fitting))));
  const samples = parts.flatMap(({ sample }) => sample ?? []);
  return {
    fitting: filled(parts.map((part) => part.fitting)),
    unfitting: unfitting.length > 0 ? fc.oneof(...unfitting) : undefined,
    sample: samples.length === parts.length ? fill(operation, samples) : undefined,
  };
}

/** The texts of other paths where this one has the parameter: a value among them would lead to the other path. */
function literalsBeside({ path, allPaths }: Operation, { name, in: place }: Parameter): ReadonlySet<string> {
  if (place !== 'path') return new Set();
  const own = path.split('/');
  const at = own.findIndex((segment) => segment.includes(`{${name}}`));
  const isLike = (other: readonly string[]) =>
    other.length === own.length &&
    other.every((segment, index) => {
      return index === at || segment === own[index] || `${segment} ${own[index] ?? ''}`.includes('{');
    });
  const others = allPaths.map((other) => other.split('/')).filter(isLike);
  return new Set(others.flatMap((other) => other[at] ?? []));
}

/** A scalar, or a list of scalars in the usual style. */
function scalarFilling(parameter: Parameter, making: Making, literals: ReadonlySet<string>): Filling {
  const { fits } = making;
  const { name, in: place, required, schema } = parameter;
  const part = (written: string | undefined, verdict: Verdict) => ({ place, name, written, verdict });
  const isList = schema['type'] === 'array';
  const verdictOnAll = isList
    ? verdictOnLists(schema, fits)
    : (all: readonly string[]) => verdictOn(all.join(), schema, fits);
  // In `/books/{id}`, `text` may be of the path `/books/text`.
  const apart = (text: string) => (place === 'path' && literals.has(text) ? `${text}1` : text);
  const writtenBy = (given: readonly string[], isEverySign = false) => {
    const all = given.map(apart);
    const written = writtenAs(parameter, isList ? all : all[0], String);
    return part(isEverySign && written !== undefined ? everySign(written) : written, verdictOnAll(all));
  };
  const partOf = (texts: Arbitrary<readonly string[]>) => {
    // The name of a cookie and a header are as they are.
    const isEverySign =
      place === 'path' || place === 'query' ? fc.constantFrom(false, false, true) : fc.constant(false);
    const present = fc.tuple(texts, isEverySign).map(([all, each]) => writtenBy(all, each));
    return place === 'path' ? present : perhaps(present, part(undefined, required ? 'invalid' : 'valid'));
  };
  const fitting = partOf(fittingTexts(parameter, making));
  const { items = {} } = schema as { readonly items?: JsonObject };
  const scalar = isList ? { ...parameter, schema: items, written: items } : parameter;
  const anyText = fc.oneof(
    { weight: 9, arbitrary: anyTexts(scalar, making) },
    {
      weight: 1,
      arbitrary: fittingTexts(scalar, making).map(
        // Half of a surrogate pair has no encoding.
        ([text = '']) => `${[...(text || 'a').repeat(500)].slice(0, 500).join('')}!`,
      ),
    },
  );
  const any = partOf(
    isList
      ? fc.array(anyText.map(itemIn(place)), { minLength: 1, maxLength: 6 })
      : anyText.map((text) => [textIn(place, text)]),
  );
  const sample = sampleOf(parameter, making, literals);
  return {
    fitting,
    any: fc.oneof(any, miswritten(parameter, fitting)),
    sample: sample === undefined ? undefined : writtenBy([sample].flat().map(textOf)),
  };
}

/** The first sample that leads to no other path, if there is one. */
function sampleOf(parameter: Parameter, { values }: Making, literals: ReadonlySet<string>): unknown {
  const first = values.first('sent', parameter);
  const isApart = (value: unknown) => parameter.in !== 'path' || !literals.has(textOf(value));
  if (isApart(first)) return first;
  for (const value of values.all('sent', parameter)) if (isApart(value)) return value;
  return first;
}

/** A parameter of an object or of several types, or in a special style. */
function structuredFilling(parameter: Parameter, making: Making): Filling {
  const { fits } = making;
  const { name, in: place, required, schema, content } = parameter;
  const part = (written: string | undefined, verdict: Verdict) => ({ place, name, written, verdict });
  const isInJson = content !== undefined && isJson(content);
  const asJson = (value: unknown) => {
    const text = JSON.stringify(value);
    const isValid = hasExactNumbers(value) && fits(schema, JSON.parse(text));
    const style = { style: 'json', explode: false };
    return part(writtenAs({ name, in: place, ...style }, text, String), isValid ? 'valid' : 'either');
  };
  const inStyle = (value: unknown, style: ParameterStyle = parameter) => {
    const text = writtenAs({ name, in: place, ...style }, value, (item) => itemIn(place)(textOf(item)));
    // A space would end the target.
    return part(place === 'path' ? (text ?? ' ').replaceAll(' ', '%20') : text, 'either');
  };
  const written = isInJson ? asJson : (value: unknown) => inStyle(value);
  const values = fittingValues(parameter, making);
  // In a style that it may not have.
  const otherwise = fc
    .tuple(values, fc.constantFrom(...STYLES), fc.boolean())
    .map(([value, style, explode]) => inStyle(value, { style, explode }));
  const present = isInJson ? values.map(asJson) : fc.oneof(values.map(written), otherwise);
  const absent = part(undefined, !required ? 'valid' : isInJson ? 'invalid' : 'either');
  const all = place === 'path' ? present : perhaps(present, absent);
  const sample = making.values.first('sent', parameter);
  return { fitting: all, any: all, sample: sample === undefined ? undefined : written(sample) };
}

const STYLES = ['simple', 'label', 'matrix', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

/** Percent-encoding that RFC 3986 §2.1 does not allow, or that is not UTF-8. */
const MALFORMED = ['%', '%1', '%zz', '%c3%28', '%E0%A4%A', '%ff', '%ed%a0%80'];

/** Invalid for any value: malformed in a path, or repeated in a query unless it is a list. */
function miswritten({ schema, explode, in: place }: Parameter, fitting: Arbitrary<Part>): Arbitrary<Part> {
  const isRepeatable = explode && schema['type'] === 'array';
  return fc.tuple(fitting, fc.constantFrom(...MALFORMED)).map(([part, malformed]) => {
    if (place === 'path') return { ...part, written: malformed, verdict: 'invalid' };
    if (place === 'header' || place === 'cookie' || isRepeatable || part.written === undefined) return part;
    return { ...part, written: `${part.written}&${part.written}`, verdict: 'invalid' };
  });
}

/** As a client writes it, or else as it is. */
function pathWith(template: string, texts: ReadonlyMap<string, string>): string {
  try {
    return writePath(
      template,
      (name) => texts.get(name),
      (why) => {
        throw new Error(why);
      },
    );
  } catch {
    return template.replace(/\{([^}]+)\}/g, (_, name: string) => texts.get(name) ?? '');
  }
}

function fill({ path, body: declared }: Operation, parts: readonly Part[]): Filled {
  const at = (place: string) =>
    parts.flatMap(({ place: its, name, written }) =>
      its === place && written !== undefined ? [[name, written] as const] : [],
    );
  const inPath = new Map(at('path'));
  const filledPath = pathWith(encodedTemplate(path), inPath);
  const query = at('query').map(([, written]) => written);
  const body = at('body')[0]?.[1];
  const boundary = declared?.type.startsWith('multipart/') ? `; boundary=${BOUNDARY}` : '';
  const type: readonly Header[] =
    body === undefined ? [] : [['Content-Type', `${declared?.type}${boundary}`]];
  const cookies = at('cookie').map(([, written]) => written);
  const cookie: readonly Header[] = cookies.length > 0 ? [['Cookie', cookies.join('; ')]] : [];
  const target = query.length === 0 ? filledPath : `${filledPath}?${query.join('&')}`;
  // A database cannot store it, so a handler that passes it on rejects a request that satisfies the contract.
  const hasNul = /%00|\\u0000|\0/.test(`${target} ${body ?? ''} ${cookies.join()}`);
  return {
    target,
    headers: [...at('header'), ...cookie, ...type],
    body,
    verdict: worst([...parts.map(({ verdict }) => verdict), hasNul ? 'either' : 'valid']),
    invalid: parts
      .filter(({ verdict }) => verdict === 'invalid')
      .map(({ place, name }) => (place === 'body' ? 'the body' : `the ${place} parameter ${name}`)),
  };
}
