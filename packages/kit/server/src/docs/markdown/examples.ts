import { essenceOf, writeParameter } from '@contract-kit/core/http';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import { fieldStylesOf, referenceIn, type MediaType, type Schemas } from '@contract-kit/core/model';
import { makeValue, nthChoice } from '@contract-kit/core/values';
import type { Served } from '../served.ts';

/** An example of a body. */
export interface Example {
  /** Empty if it is the only one. */
  readonly title: string;
  readonly description: string;
  /** The language of its text. */
  readonly lang: string;
  /** As it is sent. */
  readonly text?: string;
  /** Where it is, if the contract does not have it. */
  readonly url?: string;
}

/** The examples of the contract, or one that is made of the schema if it is JSON. */
export function examplesIn(
  served: Served,
  content: readonly MediaType[],
  view: 'sent' | 'response',
  isShown: (media: MediaType) => boolean = () => true,
): Example[] {
  return content.filter(isShown).flatMap((media) => {
    const type = content.length > 1 ? media.type : '';
    const named = namedExamples(served, media, type);
    return named.length > 0 ? named : exampleIn(served, media, view, type);
  });
}

/** Each example that has a name. */
export function namedExamples({ model }: Served, media: MediaType, type = ''): Example[] {
  return Object.entries(media.examples ?? {}).map(([name, value]) => {
    const example: JsonObject = model.schemas.resolve(value);
    const {
      summary = name,
      description = '',
      externalValue,
      serializedValue,
      dataValue = example['value'],
    } = example;
    const text = typeof serializedValue === 'string' ? serializedValue : textOf(media, dataValue);
    return {
      title: [type, String(summary)].filter(Boolean).join(', '),
      description: String(description),
      lang: langOf(media),
      ...(text !== undefined && { text }),
      ...(typeof externalValue === 'string' && { url: externalValue }),
    };
  });
}

function exampleIn({ model }: Served, media: MediaType, view: 'sent' | 'response', title: string): Example[] {
  const value = media.kind === 'json' ? valueOf(model.schemas, media, view) : media.example;
  const text = textOf(media, value);
  return text === undefined ? [] : [{ title, description: '', lang: langOf(media), text }];
}

/** The values of named schemas, by view and name: the errors of all operations have a few. */
const known = new WeakMap<Schemas, Map<string, unknown>>();

function valueOf(schemas: Schemas, media: MediaType, view: 'sent' | 'response'): unknown {
  const make = () => makeValue(schemas, media, { view, choices: nthChoice(0, true) }).value;
  const { declaredSchema = {}, example } = media;
  const reference = referenceIn(declaredSchema);
  if (reference === undefined || Object.keys(declaredSchema).length > 1 || example !== undefined)
    return make();
  const values = known.get(schemas) ?? new Map<string, unknown>();
  known.set(schemas, values);
  const key = `${view} ${reference}`;
  if (!values.has(key)) values.set(key, make());
  return values.get(key);
}

const langOf = ({ kind }: MediaType) => (kind === 'json' ? 'json' : '');

/** `value` as a body of its media type. */
function textOf(media: MediaType, value: unknown): string | undefined {
  const { kind, form } = media;
  if (value === undefined) return undefined;
  if (kind === 'json') return JSON.stringify(value, undefined, 2);
  if (typeof value === 'string') return value;
  if (form?.kind === 'lines' && Array.isArray(value))
    return value.map((item) => JSON.stringify(item)).join('\n');
  if (essenceOf(media.type) === 'application/x-www-form-urlencoded' && isObject(value))
    return orNot(() => formText(media, value));
  return JSON.stringify(value, undefined, 2);
}

function formText(media: MediaType, value: JsonObject): string | undefined {
  const styles = new Map(Object.entries(fieldStylesOf(media)));
  const texts = Object.entries(value).flatMap(([name, item]) => {
    const style = styles.get(name);
    const items = style ? [item] : [item].flat();
    return items.map((one) => writeParameter({ name, in: 'query', ...style }, one, scalarText, cannot));
  });
  return texts.join('&');
}

const scalarText = (value: unknown) => (isObject(value) ? JSON.stringify(value) : String(value));

/** An example that cannot be sent is left out. */
function orNot<Value>(write: () => Value): Value | undefined {
  try {
    return write();
  } catch {
    return undefined;
  }
}

function cannot(why: string): never {
  throw new TypeError(why);
}
