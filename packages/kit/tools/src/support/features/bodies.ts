import { isJson } from '@kit/contract/media-type';
import { refused, when } from '../rule.ts';

export const bodyFeatures = [
  refused('RequestBody', {
    feature: 'request bodies without JSON (forms, multipart, XML, text, bytes)',
    find: when(({ content }) => content && !Object.keys(content).some(isJson), 'content'),
    example: 'content: # here\n  multipart/form-data: { schema: { type: string } }',
    advice: 'write application/json',
  }),
];
