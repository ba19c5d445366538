import { isInherited, named, on } from '../row.ts';
import { TOKEN } from './header-names.ts';

/** Headers of a response that belong to the connection. */
const FOREIGN_HEADERS = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

export const replyFeatures = [
  on('Responses').refused(
    'statuses other than 200 to 599, `2XX` to `5XX` and `default`',
    named((status) => !/^([2-5](\d\d|XX)|default)$/.test(status)),
    "'600': { description: Anything. } # here",
    'write a status of HTTP (RFC 9110 §15)',
  ),
  on('Response').refused(
    'headers of the connection (`Content-Length`, `Transfer-Encoding`, …), and names that are no tokens (RFC 9110 §5.6.2)',
    named((name) => FOREIGN_HEADERS.test(name) || !TOKEN.test(name) || isInherited(name), 'headers'),
    'description: Done.\nheaders:\n  Transfer-Encoding: { schema: { type: string } } # here',
    'leave it out: the server writes it by itself',
  ),
];
