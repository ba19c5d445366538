import type { IncomingMessage } from 'node:http';

/** How often the header `name`, in lower case, was sent. Node drops the second of some headers. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times;
}
