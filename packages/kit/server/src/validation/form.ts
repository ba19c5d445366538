import busboy from 'busboy';
import { invalidRequest, type ApiError } from '../http/api-error.ts';
import { utf8Text } from './utf8-text.ts';

/** Bytes that a File may be made of. */
export type Bytes = Buffer<ArrayBuffer>;

/** A field of a form as it was sent. */
export interface FormEntry {
  readonly name: string;
  readonly value: string | File;
  /** The media type of its part, which is text/plain by default (RFC 7578 §4.4). */
  readonly type: string;
}

/* Limits the work for a small form. */
const MAX_PARTS = 1_000;
const MAX_NAME_BYTES = 200;
const MAX_HEADERS = 20;
/** Bytes parsed in one turn of the event loop. */
const TURN_BYTES = 64 * 1024;

const INVALID = 'The body must be a valid form';
const OCTETS = 'application/octet-stream';

/**
 * The fields of a form in the order sent: Files where `isFile` says so, otherwise texts. It takes what it has read from
 * `chunks`, so that a file is in memory once. Rejects with an ApiError if it is not a valid form.
 */
export async function entriesOf(
  contentType: string,
  chunks: Bytes[],
  isFile: (name: string) => boolean,
): Promise<FormEntry[]> {
  const entries: FormEntry[] = [];
  let problem: ApiError | undefined;
  const reject = (fault: string) => void (problem ??= invalidRequest(fault));
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const form = openForm(contentType, size);
  form.on('field', (name, value, { nameTruncated, mimeType }) => {
    if (nameTruncated) reject(`The name of a field must have at most ${MAX_NAME_BYTES} bytes`);
    entries.push({ name, value, type: mimeType });
  });
  form.on('file', (field, stream, { filename, mimeType }) => {
    const name = unescaped(field);
    const parts: Bytes[] = [];
    stream.on('data', (part: Bytes) => parts.push(part));
    stream.on('end', () => {
      // A form of HTML has such a part for each file that was not chosen.
      if (parts.length === 0 && !filename && mimeType === OCTETS) return;
      try {
        const value = isFile(name)
          ? new File(parts, unescaped(filename), { type: mimeType })
          : // A part with the name of a file may be JSON or text (RFC 7578 §4.2).
            utf8Text(Buffer.concat(parts));
        entries.push({ name, value, type: mimeType });
      } catch (error) {
        problem ??= error as ApiError;
      }
    });
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
    form.on(limit, () => reject(`A form must have at most ${MAX_PARTS} fields`));
  const closed = new Promise<void>((resolve) => {
    form.on('error', () => {
      reject(INVALID);
      resolve();
    });
    form.on('close', resolve);
  });
  for (let chunk = chunks.shift(); chunk && !problem; chunk = chunks.shift()) {
    for (let start = 0; start < chunk.length && !problem; start += TURN_BYTES) {
      form.write(chunk.subarray(start, start + TURN_BYTES));
      if (start + TURN_BYTES < chunk.length || chunks.length > 0) await new Promise(setImmediate);
    }
  }
  if (problem) form.destroy();
  else form.end();
  await closed;
  if (problem) throw problem;
  return entries;
}

function openForm(contentType: string, size: number): busboy.Busboy {
  const limits = {
    ...{ parts: MAX_PARTS, fields: MAX_PARTS, files: MAX_PARTS, fieldSize: size },
    ...{ fieldNameSize: MAX_NAME_BYTES, headerPairs: MAX_HEADERS },
  };
  try {
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits });
  } catch {
    throw invalidRequest(INVALID);
  }
}

/** A name as it was before a client wrote it into a form (HTML §4.10.21.8). */
function unescaped(name = ''): string {
  return name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}
