import { isObject } from '@contract-kit/core/json';
import { typeInRange } from '@contract-kit/core/http';
import { fieldStylesOf, partTypesOf } from '@contract-kit/core/model';
import fc, { type Arbitrary } from 'fast-check';
import { perhaps, type Filling, type Part } from './filling.ts';
import type { Operation } from './operations.ts';
import { textOf, writtenAs, type Verdict } from './texts.ts';
import { anyValues, CHARACTER, fittingValues, hasExactNumbers, swollen, type Making } from './values.ts';

type Body = NonNullable<Operation['body']>;

/** What `written` makes of values, or in one of six cases no body. */
function bodyFilling(
  { required }: Body,
  present: Arbitrary<Part>,
  any = present,
): Pick<Filling, 'fitting' | 'any'> {
  const absent = writtenBody(undefined, required ? 'invalid' : 'valid');
  return { fitting: perhaps(present, absent), any: perhaps(any, absent) };
}

export function jsonFilling(body: Body, making: Making): Filling {
  const { fits } = making;
  const { media } = body;
  const schema = media.schema ?? {};
  const written = (value: unknown) => {
    const text = JSON.stringify(value);
    if (!fits(schema, JSON.parse(text))) return writtenBody(text, 'invalid');
    return writtenBody(text, hasExactNumbers(value) ? 'valid' : 'either');
  };
  const values = fittingValues(media, making);
  const sample = making.values.first('sent', media);
  const filling = bodyFilling(body, values.map(written), anyValues(schema, making).map(written));
  return {
    fitting: filling.fitting,
    any: fc.oneof(filling.any, roundedBodies(values), swollenBodies(values)),
    sample: sample === undefined ? undefined : written(sample),
  };
}

/** A form, a text or bytes. */
export function otherFilling(body: Body, making: Making): Filling {
  const { type, media } = body;
  const { kind } = media;
  const values = fittingValues(media, making);
  const texts = fc.string({ unit: CHARACTER, maxLength: 200 });
  const isMultipart = type.startsWith('multipart/');
  const written = (value: unknown) => {
    if (kind !== 'form') return writtenBody(kind === 'text' ? textOf(value) : BYTES, 'either');
    return writtenBody(isMultipart ? multipart(body, value) : encodedForm(body, value), 'either');
  };
  const misread = values.map((value) => (isMultipart ? encodedForm(body, value) : multipart(body, value)));
  const others = kind === 'form' ? fc.oneof(misread, texts) : texts;
  const present = fc.oneof(
    { weight: 2, arbitrary: values.map(written) },
    { weight: 1, arbitrary: others.map((text) => writtenBody(text, 'either')) },
  );
  const sample = kind === 'bytes' ? BYTES : making.values.first('sent', media);
  return { ...bodyFilling(body, present), sample: sample === undefined ? undefined : written(sample) };
}

/** Of a file. */
const BYTES = 'bytes';

const fieldsIn = (value: unknown) => Object.entries(isObject(value) ? value : { value });

function encodedForm({ media }: Body, value: unknown): string {
  const all = new Map(Object.entries(fieldStylesOf(media)));
  const fields = fieldsIn(value).map(([name, field]) =>
    writtenAs({ name, in: 'query', ...all.get(name) }, field, textOf),
  );
  return fields.filter(Boolean).join('&');
}

/** RFC 7578 §4.2. Each item of a list is a part (OpenAPI 3.1 §4.8.15.1). */
function multipart({ media }: Body, value: unknown): string {
  const partTypes = partTypesOf(media);
  const parts = fieldsIn(value).flatMap(([name, field]) => {
    const quoted = name.replace(/[\r\n"]/g, '');
    const [of] = new Map(Object.entries(partTypes)).get(name) ?? [];
    const type = of === undefined ? '' : `; filename=a\r\nContent-Type: ${typeInRange(of, 'x')}`;
    const head = `Content-Disposition: form-data; name="${quoted}"${type}`;
    return [field].flat().map((item) => `--${BOUNDARY}\r\n${head}\r\n\r\n${textOf(item)}\r\n`);
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

export const BOUNDARY = 'boundary';

const writtenBody = (written: string | undefined, verdict: Verdict): Part => ({
  place: 'body',
  name: 'body',
  written,
  verdict,
});

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
