import { errorTexts } from '@contract-kit/core/errors';
import { invalidRequest } from '../http/api-error.ts';
import { partsOf, type Bytes, type Part } from './multipart.ts';
import { decodedText } from './query-texts.ts';
import { textIn, utf8Text } from './utf8-text.ts';

/** A field of a form as it was sent. */
export interface FormEntry {
  readonly name: string;
  readonly value: string | File;
  /** The media type of its part, which is text/plain by default (RFC 7578 §4.4). */
  readonly type: string;
}

/* Limits the work for a small form. */
const MAX_FIELDS = 1_000;
const MAX_NAME_BYTES = 200;

/* Their bytes: in a form, a plus stands for a space. */
const PLUS = 0x2b;
const SPACE = 0x20;

const OCTETS = 'application/octet-stream';

/** Whether a field is a File. `isSentAsFile` says whether its part has a filename, or is of application/octet-stream. */
export type IsFile = (name: string, isSentAsFile: boolean) => boolean;

/** The fields of a form in the order sent. It is taken out of `chunks`. Throws an ApiError if it is not a valid form. */
export function entriesOf(contentType: string, chunks: Bytes[], isFile: IsFile): FormEntry[] {
  const isMultipart = /^multipart\//i.test(contentType);
  const entries = [...(isMultipart ? fieldsOf(partsOf(contentType, chunks), isFile) : pairsIn(chunks))];
  if (entries.some(({ name }) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    throw invalidRequest(errorTexts.longFieldName(MAX_NAME_BYTES));
  return entries;
}

function* fieldsOf(parts: Iterable<Part>, isFile: IsFile): Generator<FormEntry> {
  for (const part of parts) {
    const { name, filename, type, content } = part;
    // HTML has such a part for each file that was not chosen.
    if (content.length === 0 && !filename && type === OCTETS) continue;
    const isSentAsFile = filename !== undefined || type === OCTETS;
    // Without both, an empty part may be null.
    const value =
      (isSentAsFile || content.length > 0) && isFile(name, isSentAsFile)
        ? new File([content], filename ?? '', { type })
        : // A part with the name of a file may be JSON or text (RFC 7578 §4.2).
          textOf(part);
    yield { name, value, type };
  }
}

function textOf({ name, content, charset }: Part): string {
  return textIn(content, charset, errorTexts.notInCharsetOfPart(name));
}

/** The fields of a form in a URL. They are in UTF-8 (URL Standard §5.1), also if they are not percent-encoded. */
function* pairsIn(chunks: Bytes[]): Generator<FormEntry> {
  const bytes = Buffer.concat(chunks.splice(0));
  // In a text of pluses, `replaceAll` takes seconds.
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === PLUS) bytes[at] = SPACE;
  const pairs = utf8Text(bytes).split('&', MAX_FIELDS + 1);
  if (pairs.length > MAX_FIELDS) throw invalidRequest(errorTexts.tooManyFields(MAX_FIELDS));
  for (const pair of pairs) {
    if (pair === '') continue;
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    yield { name: decodedText(name, 'body'), value: decodedText(value, 'body'), type: 'text/plain' };
  }
}
