import { isJson } from '@kit/contract/media-type';
import { on, where } from '../row.ts';

export const bodyFeatures = [
  on('RequestBody').refused(
    'request bodies without JSON (forms, multipart, XML, text, bytes)',
    where(({ content }) => content && !Object.keys(content).some(isJson), 'content'),
    'content: # here\n  multipart/form-data: { schema: { type: string } }',
    'write application/json',
  ),
];
