import { isJson, preferred } from '@kit/contract/media-type';
import type { Json } from '../../source-document.ts';
import { eachName, isInherited, mistake, refused, TOKEN, typesOf } from '../rule.ts';

/** RFC 9110 §8.3.1. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;.*)?$/;

export const responseRules = [
  refused('Responses', {
    feature: 'statuses other than 100 to 599, `1XX` to `5XX` and `default`',
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
  refused('Header', {
    feature: 'headers that are objects',
    find: ({ schema, content }, { contract }) => {
      const value = content ? Object.values<Json>(content)[0]?.schema : schema;
      return typesOf(contract.resolve(value)).includes('object') ? [[content ? 'content' : 'schema']] : [];
    },
    example: 'schema: { type: object } # here',
    advice: 'write a header for each value',
  }),
  refused('Response', {
    feature: 'ranges of media types other than `*/*` and `application/*`',
    find: ({ content }) => {
      const [type = ''] = preferred(content) ?? [];
      return type.endsWith('/*') && !isJson(type) ? [['content', type]] : [];
    },
    example: 'description: A picture.\ncontent:\n  image/*: {} # here',
    advice: 'write the type that is sent, such as image/png',
  }),
  ...(['Response', 'RequestBody'] as const).map((kind) =>
    mistake(kind, {
      message: 'a media type has a type and a subtype, such as application/json',
      find: eachName((type) => !MEDIA_TYPE.test(type), 'content'),
      example: "description: Anything.\ncontent:\n  '*': {} # here",
    }),
  ),
];
