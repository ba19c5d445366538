import type { Json } from '../../contract.ts';
import { has, refused, where, works } from '../feature.ts';
import { JSON_TYPE, media } from './media.ts';

const bodyOf = (content: Json): Json => content?.[JSON_TYPE]?.schema;

export const bodyFeatures = [
  works(
    'JSON bodies of POST, PUT and PATCH: objects, arrays, scalars',
    'MediaType',
    media('RequestBody', (type) => type === JSON_TYPE),
    'in UTF-8, of at most 100,000 bytes (else 400); another Content-Type, or none, is answered with 415',
    'content:\n  application/json: { schema: { type: array, items: { type: string } } }',
  ),
  refused(
    'request bodies of other media types (forms, multipart, XML, text, bytes, `+json`, ranges)',
    'MediaType',
    media('RequestBody', (type) => type !== JSON_TYPE),
    'write application/json',
    'content:\n  multipart/form-data: { schema: { type: string } } # here',
  ),
  works(
    'required and optional bodies',
    'RequestBody',
    has('required'),
    '',
    'required: true\ncontent:\n  application/json: { schema: { type: string } }',
  ),
  works(
    'request bodies by `$ref`',
    'Operation',
    where((operation) => operation.requestBody?.$ref, 'requestBody'),
    '',
    "requestBody: { $ref: '#/components/requestBodies/Example' }",
  ),
  refused(
    'bodies of GET and DELETE',
    'PathItem',
    (item) =>
      ['get', 'delete']
        .filter((method) => item[method]?.requestBody)
        .map((method) => [method, 'requestBody']),
    'use POST, or parameters (RFC 9110 §9.3.1, §9.3.5)',
    "get:\n  operationId: example\n  responses: {}\n  requestBody: # here\n    $ref: '#/components/requestBodies/Example'",
  ),
  works(
    'a field of the body with the name of a parameter',
    'Operation',
    where((operation, { contract }, { parent }) => {
      const body = contract.resolve(bodyOf(contract.resolve(operation.requestBody)?.content));
      const parameters: Json[] = [...(parent?.value.parameters ?? []), ...(operation.parameters ?? [])];
      return parameters.some((each) => contract.resolve(each)?.name in (body?.properties ?? {}));
    }, 'requestBody'),
    'the client then takes the whole body as `body`, as where it is optional, no object, a map or composed',
    `parameters: [{ name: id, in: header, schema: { type: string } }]
requestBody:
  content:
    application/json: { schema: { type: object, properties: { id: { type: integer } } } }`,
  ),
  refused(
    'a parameter called `body` beside a body',
    'Operation',
    where((operation, { contract }, { parent }) => {
      const parameters: Json[] = [...(parent?.value.parameters ?? []), ...(operation.parameters ?? [])];
      return operation.requestBody && parameters.some((each) => contract.resolve(each)?.name === 'body');
    }, 'requestBody'),
    'give it another name: the client takes the body under this one',
    `parameters: [{ name: body, in: query, schema: { type: string } }]
requestBody: # here
  content:
    application/json: { schema: { type: string } }`,
  ),
  refused(
    '`encoding`',
    'MediaType',
    has('encoding'),
    'leave it out: JSON has none',
    'content:\n  application/json:\n    schema: { type: string }\n    encoding: {} # here',
  ),
  works(
    '`example` and `examples` of bodies, parameters and headers, by `$ref` too',
    'MediaType',
    has('example', 'examples'),
    'shown on the page, and checked',
    'content:\n  application/json:\n    schema: { type: string }\n    example: Rex',
  ),
  refused(
    '`externalValue` of an example',
    'Example',
    has('externalValue'),
    'write its value: the contract is one file',
    'externalValue: https://petstore.example/rex.json # here',
  ),
];
