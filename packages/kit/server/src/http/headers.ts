import type { IncomingMessage } from 'node:http';

export const JSON_TYPE = 'application/json';
export const JSON_IN_UTF8 = `${JSON_TYPE}; charset=utf-8`;

/** The values of the header `name`, in lower case, in the order sent. Node drops the second of some headers. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name)
      values.push(rawHeaders[index + 1] as string);
  }
  return values;
}

/** Marks a response that is only an example. */
export const exampleHeader = 'X-Example';

/** Keeps a client's request id if it is safe in headers and logs. */
export const WELL_FORMED_REQUEST_ID = /^[\w.:@+/=-]{1,128}$/;
