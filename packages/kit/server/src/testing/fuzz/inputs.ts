import type { Parameter } from '@contract-kit/core/model';
import { isObject, type JsonObject } from '@contract-kit/core/json-pointer';
import { bodyKindOf, isJson } from '@contract-kit/core/media-type';
import fc, { type Arbitrary } from 'fast-check';
import type { Header, Operation } from './operations.ts';
import {
  anyTexts,
  everyByte,
  fittingTexts,
  isPlain,
  itemIn,
  textIn,
  verdictOn,
  verdictOnLists,
  worst,
  type Verdict,
} from './texts.ts';
import {
  anyValues,
  CHARACTER,
  fitsOf,
  fittingValues,
  hasExactNumbers,
  swollen,
  type Fits,
} from './values.ts';

/** Generated target, headers and body of a request. */
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
  /** Nearly all of them satisfy the contract. */
  readonly fitting: Arbitrary<Filled>;
  /** One parameter, or the body, is arbitrary. Undefined for an operation without input. */
  readonly unfitting: Arbitrary<Filled> | undefined;
}

export function inputsOf(operation: Operation): Inputs {
  const { document, parameters, body } = operation;
  const fits = fitsOf(document);
  const parts = parameters.map((parameter) => {
    if (!isPlain(parameter)) {
      const structured = structuredPart(parameter, fits, document);
      return { fitting: structured, any: structured };
    }
    const fitting = partOf(parameter, fits, (schema) => fittingTexts(schema, document));
    const any = partOf(parameter, fits, (schema) =>
      fc.oneof(
        { weight: 9, arbitrary: anyTexts(schema, document) },
        {
          weight: 1,
          arbitrary: fittingTexts(schema, document).map(
            // Half of a surrogate pair has no encoding.
            (text) => `${[...(text || 'a').repeat(500)].slice(0, 500).join('')}!`,
          ),
        },
      ),
    );
    return { fitting, any: fc.oneof(any, miswritten(parameter, fitting)) };
  });
  if (body && !isJson(body.type)) {
    const other = otherBodies(body, document);
    parts.push({ fitting: other, any: other });
  } else if (body) {
    const { schema, example } = body;
    const isUsable = fits(schema, example);
    // json-schema-faker ignores some keywords, such as propertyNames.
    const fitting = fittingValues(schema, document).map((value) =>
      isUsable && !fits(schema, value) ? example : value,
    );
    const any = bodyPart(body, anyValues(body.schema, document), fits);
    parts.push({
      fitting: bodyPart(body, fitting, fits),
      any: fc.oneof(any, roundedBodies(fitting), swollenBodies(fitting)),
    });
  }
  const filled = (all: Arbitrary<Part>[]) => fc.tuple(...all).map((item) => fill(operation, item));
  const unfitting = parts.map((bad) => filled(parts.map((part) => (part === bad ? part.any : part.fitting))));
  return {
    fitting: filled(parts.map((part) => part.fitting)),
    unfitting: unfitting.length > 0 ? fc.oneof(...unfitting) : undefined,
  };
}

/** `present`, or in one of six cases nothing. */
const perhaps = (present: Arbitrary<Part>, absent: Part) =>
  fc.oneof({ weight: 5, arbitrary: present }, { weight: 1, arbitrary: fc.constant(absent) });

function partOf(
  parameter: Parameter,
  fits: Fits,
  textsFor: (schema: JsonObject) => Arbitrary<string>,
): Arbitrary<Part> {
  const { name, in: place, required, schema } = parameter;
  const part = (written: string | undefined, verdict: Verdict) => ({ place, name, written, verdict });
  const isList = schema['type'] === 'array';
  const texts = isList
    ? fc.array(textsFor(schema['items'] as JsonObject).map(itemIn(place)), { minLength: 1, maxLength: 6 })
    : textsFor(schema).map((text) => [textIn(place, text)]);
  const verdictOnAll = isList
    ? verdictOnLists(schema, fits)
    : (all: readonly string[]) => verdictOn(all.join(), schema, fits);
  // RFC 3986 §2.4 calls the two equivalent.
  const encoders = fc.constantFrom(encodeURIComponent, encodeURIComponent, everyByte);
  const present = fc.tuple(texts, encoders).map(([all, encode]) => {
    return part(write(parameter, all, encode), verdictOnAll(all));
  });
  return place === 'path' ? present : perhaps(present, part(undefined, required ? 'invalid' : 'valid'));
}

/** A parameter of an object or of several types, or in a special style. */
function structuredPart(
  { name, in: place, required, schema, content, style }: Parameter,
  fits: Fits,
  document: JsonObject,
): Arbitrary<Part> {
  const part = (written: string | undefined, verdict: Verdict) => ({ place, name, written, verdict });
  const values = fittingValues(schema, document);
  const encode = place === 'header' ? (text: string) => text.replace(/[^ -~]/g, '') : encodeURIComponent;
  const key = place === 'query' ? `${encode(name)}=` : '';
  if (content !== undefined && isJson(content)) {
    const json = values.map((value) => {
      const text = JSON.stringify(value);
      const isValid = place !== 'header' && hasExactNumbers(value) && fits(schema, JSON.parse(text));
      return part(key + encode(text), isValid ? 'valid' : 'either');
    });
    return perhaps(json, part(undefined, required ? 'invalid' : 'valid'));
  }
  const separators = fc.constantFrom(',', '|', '%20', '.', ';');
  const written = fc.tuple(values, separators, fc.boolean()).map(([value, separator, isNested]) => {
    if (!isObject(value)) return key + [value].flat().map(String).map(encode).join(separator);
    const entries = Object.entries(value).map(([field, value]) => [encode(field), encode(String(value))]);
    if (place !== 'query') return entries.flat().join(separator);
    return entries
      .map(([field, value]) => (isNested ? `${encode(name)}[${field}]=${value}` : `${field}=${value}`))
      .join('&');
  });
  const prefix = { label: '.', matrix: `;${name}=` }[style as string] ?? '';
  const present = written.map((text) => part(place === 'path' ? prefix + (text || '%20') : text, 'either'));
  return place === 'path' ? present : perhaps(present, part(undefined, required ? 'either' : 'valid'));
}

/** A form, a text or bytes. */
function otherBodies(
  { type, schema, required, partTypes }: NonNullable<Operation['body']>,
  document: JsonObject,
): Arbitrary<Part> {
  const fields = fittingValues(schema, document).map((value) =>
    Object.entries(isObject(value) ? value : { value }).map(
      ([name, value]) => [name, String(value)] as const,
    ),
  );
  const encoded = fields.map((all) => all.map((entry) => entry.map(encodeURIComponent).join('=')).join('&'));
  const parts = fields.map((all) => {
    const written = all.map(([name, text]) => {
      const quoted = name.replace(/[\r\n"]/g, '');
      const [of] = partTypes[name] ?? [];
      const head = `Content-Disposition: form-data; name="${quoted}"${of ? `; filename=a\r\nContent-Type: ${of}` : ''}`;
      return `--${BOUNDARY}\r\n${head}\r\n\r\n${text}\r\n`;
    });
    return `${written.join('')}--${BOUNDARY}--\r\n`;
  });
  const texts = fc.string({ unit: CHARACTER, maxLength: 200 });
  const made = bodyKindOf(type) === 'form' ? fc.oneof(encoded, parts, texts) : texts;
  return perhaps(
    made.map((text) => writtenBody(text, 'either')),
    writtenBody(undefined, required ? 'invalid' : 'valid'),
  );
}

const BOUNDARY = 'boundary';

function write(
  { name, in: place, explode }: Parameter,
  texts: readonly string[],
  encode: (text: string) => string,
): string {
  if (place === 'header') return texts.join();
  const values = texts.map(encode);
  if (place === 'path' || place === 'cookie') return values.join();
  const key = encodeURIComponent(name);
  return explode ? values.map((value) => `${key}=${value}`).join('&') : `${key}=${values.join()}`;
}

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

/** A placeholder for a number, unlike any text. */
const MARK = '\u{1f522}number';

/** Bodies with integers that JSON.parse would round. */
function roundedBodies(values: Arbitrary<unknown>): Arbitrary<Part> {
  return values.map((value) => {
    const mark = (_key: string, value: unknown) => (Number.isInteger(value) ? MARK : value);
    const marked = JSON.stringify(value, mark);
    const written = marked.replaceAll(JSON.stringify(MARK), '9007199254740993');
    return writtenBody(written, written === marked ? 'either' : 'invalid');
  });
}

/** Bodies of the maximum size. */
function swollenBodies(values: Arbitrary<unknown>): Arbitrary<Part> {
  return fc
    .tuple(values, fc.nat())
    .map(([value, at]) => JSON.stringify(swollen(value, at)))
    .filter((text) => text.length < 90_000)
    .map((text) => writtenBody(text, 'either'));
}

function fill({ path, body: declared }: Operation, parts: readonly Part[]): Filled {
  const at = (place: string) =>
    parts.flatMap(({ place: its, name, written }) =>
      its === place && written !== undefined ? [[name, written] as const] : [],
    );
  const inPath = new Map(at('path'));
  const filledPath = path.replace(/\{([^}]+)\}/g, (_, name: string) => inPath.get(name) ?? '');
  const query = at('query').map(([, written]) => written);
  const body = at('body')[0]?.[1];
  const boundary = declared?.type === 'multipart/form-data' ? `; boundary=${BOUNDARY}` : '';
  const type: readonly Header[] =
    body === undefined ? [] : [['Content-Type', `${declared?.type}${boundary}`]];
  const cookies = at('cookie').map((cookie) => cookie.join('='));
  const cookie: readonly Header[] = cookies.length > 0 ? [['Cookie', cookies.join('; ')]] : [];
  const target = query.length === 0 ? filledPath : `${filledPath}?${query.join('&')}`;
  // A database cannot store it, so a handler that passes it on rejects a request that satisfies the contract.
  const hasNul = /%00|\\u0000|\0/.test(`${target} ${body ?? ''} ${cookies.join()}`);
  return {
    target,
    headers: [...at('header'), ...cookie, ...type],
    body,
    verdict: worst([...parts.map(({ verdict }) => verdict), hasNul ? 'either' : 'valid']),
  };
}
