import { errorTexts } from '@contract-kit/core/errors';
import { nameWithoutFolder, parametersIn, essenceOf, isMediaType } from '@contract-kit/core/http';
import { invalidRequest, type ApiError } from '../http/api-error.ts';
import { utf8Text } from './utf8-text.ts';

/*
 * Forms in parts (RFC 7578). The whole body is there, so that reading is one loop in which every fault is thrown. busboy
 * makes a stream of each file, whose errors are not those of the form, and leaves out what it cannot read.
 */

/** Bytes that a File may be made of. */
export type Bytes = Buffer<ArrayBuffer>;

export interface Part {
  readonly name: string;
  /** Undefined unless the sender says that it is a file. */
  readonly filename: string | undefined;
  /** Without parameters; text/plain by default (RFC 7578 §4.4). */
  readonly type: string;
  readonly charset: string | undefined;
  readonly content: Bytes;
}

const MAX_PARTS = 1_000;
/** The most bytes of the headers of a part, as of those of a request. */
const MAX_HEAD_BYTES = 16 * 1024;
/** RFC 2046 §5.1.1. */
const MAX_BOUNDARY_LENGTH = 70;

const LINE = '\r\n';
/** After a boundary: the end of the form, or a line break after spaces (RFC 2046 §5.1.1). */
const AFTER_BOUNDARY = /^(--|[ \t]*\r\n)/;
const MAX_PADDING = 100;
const HEADER = /^([\w!#$%&'*+.^`|~-]+):([\t -~\u0080-\u{10ffff}]*)$/u;

/** The parts of a form, which is taken out of `chunks`. Throws an ApiError if it is not a valid form. */
export function* partsOf(contentType: string, chunks: Bytes[]): Generator<Part, void> {
  const boundary = parametersIn(contentType)?.get('boundary') ?? '';
  if (boundary === '' || boundary.length > MAX_BOUNDARY_LENGTH)
    throw invalidForm(`its boundary must have 1 to ${MAX_BOUNDARY_LENGTH} characters`);
  const delimiter = Buffer.from(`${LINE}--${boundary}`, 'latin1');
  // The first boundary may begin the body.
  const body = Buffer.concat([Buffer.from(LINE), ...chunks.splice(0)]);
  const boundaryFrom = (start: number) => {
    const at = body.indexOf(delimiter, start);
    if (at === -1) throw invalidForm('its last boundary is missing');
    const end = at + delimiter.length;
    const [after] = AFTER_BOUNDARY.exec(body.toString('latin1', end, end + MAX_PADDING)) ?? [];
    if (after === undefined)
      throw invalidForm('a line that begins with its boundary must have no more, and end with CRLF');
    return { at, end: end + after.length, isLast: after === '--' };
  };
  let count = 0;
  for (let { end, isLast } = boundaryFrom(0); !isLast;) {
    if ((count += 1) > MAX_PARTS) throw invalidForm(`it must have at most ${MAX_PARTS} parts`);
    // From the line break before them: a part may have no headers.
    const headEnd = body.indexOf(LINE + LINE, end - LINE.length);
    if (headEnd === -1 || headEnd - end > MAX_HEAD_BYTES)
      throw invalidForm(`the headers of a part must have at most ${MAX_HEAD_BYTES} bytes`);
    const head = utf8Text(body.subarray(end, Math.max(end, headEnd)));
    const start = headEnd + 2 * LINE.length;
    // From the line break before the content, which may be empty.
    const next = boundaryFrom(headEnd + LINE.length);
    yield { ...describedBy(head), content: body.subarray(start, Math.max(start, next.at)) };
    ({ end, isLast } = next);
  }
}

/** What the headers of a part say. */
function describedBy(head: string): Omit<Part, 'content'> {
  const headers = headersIn(head);
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = parametersIn(disposition);
  const name = parameters?.get('name');
  if (name === undefined || essenceOf(disposition) !== 'form-data')
    throw invalidForm('each part must have `Content-Disposition: form-data` with a name');
  // RFC 7578 §4.7.
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(7bit|8bit|binary)$/i.test(encoding)) throw invalidForm('a part must not be encoded');
  const type = headers.get('content-type') || 'text/plain';
  if (!isMediaType(type)) throw invalidForm('the Content-Type of a part is no media type');
  const [plain, exact] = [parameters?.get('filename'), parameters?.get('filename*')];
  const isFile = plain !== undefined || exact !== undefined;
  return {
    name: unescaped(name),
    filename: isFile ? unescaped(nameWithoutFolder(plain ?? '', exact)) : undefined,
    type: essenceOf(type),
    charset: parametersIn(type)?.get('charset'),
  };
}

/** The headers that have a meaning (RFC 7578 §4.8). */
const KNOWN = ['content-disposition', 'content-type', 'content-transfer-encoding'];

/** Headers by their names in lower case. One may have several lines (RFC 822 §3.1.1). */
function headersIn(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head === '' ? [] : head.replaceAll(/\r\n(?=[ \t])/g, '').split(LINE)) {
    const [, name, value = ''] = HEADER.exec(line) ?? [];
    if (name === undefined) throw invalidForm('a part has a header that cannot be read');
    const known = name.toLowerCase();
    if (headers.has(known) && KNOWN.includes(known)) throw invalidForm(`a part has two headers ${name}`);
    headers.set(known, value.trim());
  }
  return headers;
}

/** A name as it was before a client wrote it into a form (HTML §4.10.21.8). */
function unescaped(name: string): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

function invalidForm(fault: string): ApiError {
  return invalidRequest(errorTexts.invalidForm(fault));
}
