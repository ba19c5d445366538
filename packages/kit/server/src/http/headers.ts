import type { IncomingMessage } from 'node:http';

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
