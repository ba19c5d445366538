import { eachName, isInherited, refused } from '../rule.ts';
import { TOKEN } from './header-names.ts';

/** Headers of a response that belong to the connection. */
const FOREIGN_HEADERS = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

export const responseFeatures = [
  refused('Responses', {
    feature: 'statuses other than 200 to 599, `2XX` to `5XX` and `default`',
    find: eachName((status) => !/^([2-5](\d\d|XX)|default)$/.test(status)),
    example: "'600': { description: Anything. } # here",
    advice: 'write a status of HTTP (RFC 9110 §15)',
  }),
  refused('Response', {
    feature:
      'headers of the connection (`Content-Length`, `Transfer-Encoding`, …), and names that are no tokens (RFC 9110 §5.6.2)',
    find: eachName((name) => FOREIGN_HEADERS.test(name) || !TOKEN.test(name) || isInherited(name), 'headers'),
    example: 'description: Done.\nheaders:\n  Transfer-Encoding: { schema: { type: string } } # here',
    advice: 'leave it out: the server writes it by itself',
  }),
];
