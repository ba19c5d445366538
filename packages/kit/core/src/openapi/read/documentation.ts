import { contractAjv, isObject, type JsonObject } from '../../json/index.ts';
import type { Pointer } from '../problem.ts';
import { isHolder, valueIn } from './files.ts';
import type { Kind, Shape } from './grammar.ts';
import type { Remark } from './upgrade.ts';
import { walk, type Finding } from './walk.ts';

/** The text as it is written at a place, such as `1.0`; undefined if it has several lines. */
export type WrittenText = (pointer: Pointer) => string | undefined;

/** Notes that what is at `to` was written at `from`. */
export type NoteMoved = (from: Pointer, to: Pointer) => void;

/** The field of an object that a text in its place is. */
const NAMED: Partial<Record<Kind, string>> = {
  Info: 'title',
  Contact: 'name',
  License: 'name',
  Tag: 'name',
  ExternalDocs: 'url',
};

/** What stands for the required fields of `info` that are missing. */
const STANDINS: Readonly<Record<string, unknown>> = { title: 'API', version: '0.0.0' };

/**
 * Makes documentation valid: a mistake in it is no reason to refuse a contract. Each remark says what was done. What is
 * called `content` of a body belongs to it as far as it is no media type.
 */
export function mendDocumentation(
  document: JsonObject,
  written: WrittenText,
  noteMoved: NoteMoved,
): Remark[] {
  const remarks: Remark[] = mendContent(document, noteMoved);
  const found = (is: Finding['is']) =>
    walk(document).findings.filter((finding) => finding.is === is && finding.isDocumentation);
  // From the end: items of lists are left out.
  const misshapen = found('misshapen').toReversed();
  for (const { pointer, message, shape } of misshapen) {
    const value = shape && meantBy(shape, valueIn(document, pointer), pointer, written);
    put(document, pointer, value);
    const done = value === undefined ? 'it is left out' : `it is read as ${shown(value)}`;
    remarks.unshift({ pointer, message: `${message}: ${done}` });
  }
  for (let missing = found('missing'); missing.length > 0; missing = found('missing'))
    for (const { pointer, message, of } of missing.toReversed()) {
      const done = complete(document, pointer, message.replace(/^.* needs /, ''), of);
      remarks.push({ pointer, message: `${message}: ${done}` });
    }
  return [...remarks, ...mendFacts(document)];
}

/** What a value of another shape is meant to say. */
function meantBy(shape: Shape, value: unknown, pointer: Pointer, written: WrittenText): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object') return undefined;
  const text = typeof value === 'string' ? value : asWritten(value, written(pointer));
  if (shape === 'text') return text;
  if (typeof shape === 'string') return undefined;
  if ('list' in shape) return shape.list === 'text' ? [text] : undefined;
  const name = 'object' in shape ? NAMED[shape.object] : undefined;
  return name === undefined ? undefined : { [name]: text };
}

/** A number as its author wrote it, such as `1.0`. */
function asWritten(value: unknown, text: string | undefined): string {
  return text !== undefined && Number(text) === value ? text : JSON.stringify(value);
}

function put(document: JsonObject, pointer: Pointer, value: unknown): void {
  const holder = valueIn(document, pointer.slice(0, -1));
  const last = pointer.at(-1);
  if (last === undefined || !isHolder(holder)) return;
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
}

/** Adds a required field, or leaves out the object that lacks it. Returns what was done. */
function complete(document: JsonObject, pointer: Pointer, name: string, of: JsonObject | undefined): string {
  const value =
    name === 'info'
      ? STANDINS
      : (STANDINS[name] ?? (pointer.at(-1) === 'license' ? (of?.identifier ?? of?.url) : undefined));
  if (of && value !== undefined) {
    of[name] = structuredClone(value);
    return `it is read as ${shown(value)}`;
  }
  put(document, pointer, undefined);
  return 'it is left out';
}

const shown = (value: unknown) => JSON.stringify(value).replaceAll('":', '": ').replaceAll(',"', ', "');

/** RFC 9110 §8.3.1. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;.*)?$/;

/** Leaves out what is no media type under `content`, or reads it as JSON if there is nothing else. */
function mendContent(document: JsonObject, noteMoved: NoteMoved): Remark[] {
  const remarks: Remark[] = [];
  for (const { value, pointer } of walk(document).nodes) {
    const { content } = value;
    if (!isObject(content) || valueIn(document, pointer) !== value) continue;
    const odd = Object.keys(content).filter((name) => !MEDIA_TYPE.test(name));
    for (const name of odd) {
      const entry = content[name];
      delete content[name];
      const media = Object.keys(content).some((other) => MEDIA_TYPE.test(other))
        ? undefined
        : mediaTypeIn(name, entry);
      if (media) {
        const field = media === entry ? [] : ['schema'];
        noteMoved([...pointer, 'content', name], [...pointer, 'content', JSON_TYPE, ...field]);
        content[JSON_TYPE] = media;
      }
      const done = media ? `read as ${JSON_TYPE}` : 'left out';
      remarks.push({
        pointer: [...pointer, 'content', name],
        message: `"${name}" is no media type: it is ${done}; write a type and a subtype, such as ${JSON_TYPE}`,
      });
    }
  }
  return remarks;
}

const JSON_TYPE = 'application/json';

/** The media type without its name that an entry of `content` is. */
function mediaTypeIn(name: string, entry: unknown): JsonObject | undefined {
  if (!isObject(entry) || name.startsWith('x-')) return undefined;
  if (name === 'schema') return { schema: entry };
  return isObject(entry.schema) ? entry : undefined;
}

/** Fields with a format, by the objects that have them. */
const FORMATS: Partial<Record<Kind, Readonly<Record<string, string>>>> = {
  Info: { termsOfService: 'uri-reference' },
  Contact: { url: 'uri-reference', email: 'email' },
  License: { url: 'uri-reference' },
  ExternalDocs: { url: 'uri-reference' },
};

const WANTED: Readonly<Record<string, string>> = {
  'uri-reference': 'a URL (RFC 3986)',
  email: 'an email address',
};

/** Leaves out what is no address, what two fields say of a license, and tags that are there twice or below themselves. */
function mendFacts(document: JsonObject): Remark[] {
  const remarks: Remark[] = [];
  const ajv = contractAjv();
  const leaveOut = (pointer: Pointer, why: string) => {
    remarks.push({ pointer, message: `${why}: it is left out` });
    put(document, pointer, undefined);
  };
  // From the end: items of lists are left out.
  for (const { kind, value, pointer } of walk(document).nodes.toReversed()) {
    if (kind === 'License' && 'identifier' in value && 'url' in value)
      leaveOut([...pointer, 'url'], 'the license has an identifier, so it needs no url (OpenAPI 3.1 §4.8.4)');
    for (const [field, format] of Object.entries(FORMATS[kind] ?? {}))
      if (field in value && !ajv.validate({ format }, value[field]))
        leaveOut(
          field === 'url' && kind === 'ExternalDocs' ? pointer : [...pointer, field],
          `${shown(value[field])} is not ${WANTED[format]}`,
        );
    if (kind !== 'Tag') continue;
    const tags = document.tags as JsonObject[];
    if (tags.findIndex(({ name }) => name === value.name) < tags.indexOf(value))
      leaveOut(pointer, `the tag ${String(value.name)} is described above`);
    const above = ['parent', 'x-parent'].find((field) => field in value);
    if (above !== undefined && !leadsToTop(tags, value))
      leaveOut([...pointer, above], 'the parent must name a tag of the document that is not below this one');
  }
  return remarks.toReversed();
}

function leadsToTop(tags: readonly JsonObject[], from: JsonObject): boolean {
  let tag: JsonObject | undefined = from;
  for (let steps = 0; tag && steps <= tags.length; steps += 1) {
    const parent: unknown = tag.parent ?? tag['x-parent'];
    if (parent === undefined) return true;
    tag = tags.find(({ name }) => name === parent);
  }
  return false;
}
