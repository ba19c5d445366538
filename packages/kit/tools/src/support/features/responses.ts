import { eachName, isInherited, refused, TOKEN } from '../rule.ts';

export const responseRules = [
  refused('Responses', {
    feature: 'statuses other than 200 to 599, `2XX` to `5XX` and `default`',
    find: eachName((status) => !/^([2-5](\d\d|XX)|default)$/.test(status)),
    example: "'600': { description: Anything. } # here",
    advice: 'write an HTTP status (RFC 9110 §15)',
  }),
  refused('Response', {
    feature: 'headers whose names are not tokens (RFC 9110 §5.6.2)',
    find: eachName((name) => !TOKEN.test(name) || isInherited(name), 'headers'),
    example: 'description: Done.\nheaders:\n  X Total: { schema: { type: string } } # here',
    advice: 'write letters, digits and -',
  }),
];
