import type { SourceDocument, Json } from '../../source-document.ts';
import { refused, when } from '../rule.ts';
import type { Node } from '../walk.ts';
import { JSON_TYPE, media } from './media.ts';

/** The parameters of an operation, those of its path item included. */
const parametersOf = (operation: Json, { parent }: Node, contract: SourceDocument): Json[] =>
  [...(parent?.value.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
    contract.resolve(each),
  );

export const bodyFeatures = [
  refused('MediaType', {
    feature: 'request bodies of other media types (forms, multipart, XML, text, bytes, `+json`, ranges)',
    find: media('RequestBody', (type) => type !== JSON_TYPE),
    example: 'content:\n  multipart/form-data: { schema: { type: string } } # here',
    advice: 'write application/json',
  }),
  refused('PathItem', {
    feature: 'bodies of GET and DELETE',
    find: (item) =>
      ['get', 'delete']
        .filter((method) => item[method]?.requestBody)
        .map((method) => [method, 'requestBody']),
    example:
      "get:\n  operationId: example\n  responses: {}\n  requestBody: # here\n    $ref: '#/components/requestBodies/Example'",
    advice: 'use POST, or parameters (RFC 9110 §9.3.1, §9.3.5)',
  }),
  refused('Operation', {
    feature: 'a parameter called `body` beside a body',
    find: when(
      (operation, { contract, node }) =>
        operation.requestBody && parametersOf(operation, node, contract).some(({ name }) => name === 'body'),
      'requestBody',
    ),
    example: `parameters: [{ name: body, in: query, schema: { type: string } }]
requestBody: # here
  content:
    application/json: { schema: { type: string } }`,
    advice: 'give it another name: the client takes the body under this one',
  }),
];
