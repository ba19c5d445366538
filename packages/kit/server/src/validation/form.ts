import busboy from 'busboy';
import { invalidRequest, type ApiError } from '../http/api-error.ts';

export type FormEntry = readonly [name: string, value: string | Uint8Array];

/* Limits the work for a small form. */
const MAX_PARTS = 1_000;
const MAX_NAME_BYTES = 200;
const MAX_HEADERS = 20;
/** Bytes parsed in one turn of the event loop. */
const TURN_BYTES = 64 * 1024;

const INVALID = 'The body must be a valid form';

/** The fields of a form in the order sent. Rejects with an ApiError if it is not a valid form. */
export async function entriesOf(contentType: string, bytes: Buffer): Promise<FormEntry[]> {
  const entries: FormEntry[] = [];
  let problem: ApiError | undefined;
  const refuse = (fault: string) => void (problem ??= invalidRequest(fault));
  const form = openForm(contentType, bytes.length);
  form.on('field', (name, value, { nameTruncated }) => {
    if (nameTruncated) refuse(`The name of a field must have at most ${MAX_NAME_BYTES} bytes`);
    entries.push([name, value]);
  });
  form.on('file', (name, file) => {
    const chunks: Buffer[] = [];
    file.on('data', (chunk: Buffer) => chunks.push(chunk));
    file.on('end', () => entries.push([name, new Uint8Array(Buffer.concat(chunks))]));
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
    form.on(limit, () => refuse(`A form must have at most ${MAX_PARTS} fields`));
  const closed = new Promise<void>((resolve) => {
    form.on('error', () => {
      refuse(INVALID);
      resolve();
    });
    form.on('close', resolve);
  });
  for (let start = 0; start < bytes.length && !problem; start += TURN_BYTES) {
    form.write(bytes.subarray(start, start + TURN_BYTES));
    if (start + TURN_BYTES < bytes.length) await new Promise(setImmediate);
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
