import type { SourceDocument, Json } from '../../source-document.ts';
import { on, where } from '../rule.ts';
import type { Node } from '../walk.ts';
import { JSON_TYPE, media } from './media.ts';

/** The parameters of an operation, those of its path item included. */
const parametersOf = (operation: Json, { parent }: Node, contract: SourceDocument): Json[] =>
  [...(parent?.value.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
    contract.resolve(each),
  );

export const bodyFeatures = [
  on('MediaType').refused(
    'request bodies of other media types (forms, multipart, XML, text, bytes, `+json`, ranges)',
    media('RequestBody', (type) => type !== JSON_TYPE),
    'content:\n  multipart/form-data: { schema: { type: string } } # here',
    'write application/json',
  ),
  on('PathItem').refused(
    'bodies of GET and DELETE',
    (item) =>
      ['get', 'delete']
        .filter((method) => item[method]?.requestBody)
        .map((method) => [method, 'requestBody']),
    "get:\n  operationId: example\n  responses: {}\n  requestBody: # here\n    $ref: '#/components/requestBodies/Example'",
    'use POST, or parameters (RFC 9110 §9.3.1, §9.3.5)',
  ),
  on('Operation').refused(
    'a parameter called `body` beside a body',
    where(
      (operation, contract, node) =>
        operation.requestBody && parametersOf(operation, node, contract).some(({ name }) => name === 'body'),
      'requestBody',
    ),
    `parameters: [{ name: body, in: query, schema: { type: string } }]
requestBody: # here
  content:
    application/json: { schema: { type: string } }`,
    'give it another name: the client takes the body under this one',
  ),
];
