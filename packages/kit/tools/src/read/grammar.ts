/* The objects of OpenAPI 3.0 and 3.1 and of JSON Schema 2020-12, with their fields. */

export type Kind =
  | 'Document'
  | 'Info'
  | 'Contact'
  | 'License'
  | 'Server'
  | 'ServerVariable'
  | 'Tag'
  | 'ExternalDocs'
  | 'Components'
  | 'Paths'
  | 'PathItem'
  | 'Operation'
  | 'Parameter'
  | 'RequestBody'
  | 'MediaType'
  | 'Encoding'
  | 'Responses'
  | 'Response'
  | 'Header'
  | 'Example'
  | 'Schema'
  | 'Discriminator'
  | 'SecurityScheme'
  | 'SecurityRequirement'
  | 'Plan'
  | 'ErrorCode';

export type Shape =
  | 'text'
  | 'flag'
  | 'number'
  | 'count'
  | 'any'
  | { readonly oneOf: readonly string[] }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly object: Kind }
  /** The object, or a `$ref` to one in `components`. */
  | { readonly reference: Kind }
  | { readonly either: readonly [Shape, Shape] };

export interface ObjectShape {
  readonly called: string;
  readonly required?: readonly string[];
  readonly fields: Readonly<Record<string, Shape>>;
  /** The values of names that the author chooses. */
  readonly others?: Shape;
}

const list = (of: Shape): Shape => ({ list: of });
const map = (of: Shape): Shape => ({ map: of });
const object = (kind: Kind): Shape => ({ object: kind });
const reference = (kind: Kind): Shape => ({ reference: kind });
const oneOf = (...words: string[]): Shape => ({ oneOf: words });
const either = (one: Shape, other: Shape): Shape => ({ either: [one, other] });
const same = (shape: Shape, ...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape]));

const schema = either(object('Schema'), 'flag');
const type = oneOf('string', 'integer', 'number', 'boolean', 'object', 'array', 'null');
const security = list(object('SecurityRequirement'));
const examples = { example: 'any', examples: map(reference('Example')) } as const;
const content = map(object('MediaType'));
const sent = {
  ...same('text', 'description', 'style'),
  ...same('flag', 'required', 'deprecated', 'explode', 'allowReserved', 'allowEmptyValue'),
  schema,
  content,
  ...examples,
};

/** The sections of components, by kind of object. */
export const SECTIONS: Partial<Record<Kind, string>> = {
  Schema: 'schemas',
  Response: 'responses',
  Parameter: 'parameters',
  Example: 'examples',
  RequestBody: 'requestBodies',
  Header: 'headers',
  PathItem: 'pathItems',
};

export const GRAMMAR: Readonly<Record<Kind, ObjectShape>> = {
  Document: {
    called: 'the document',
    required: ['openapi', 'info', 'paths'],
    fields: {
      openapi: 'text',
      info: object('Info'),
      servers: list(object('Server')),
      paths: object('Paths'),
      components: object('Components'),
      security,
      tags: list(object('Tag')),
      externalDocs: object('ExternalDocs'),
      ...same('any', 'webhooks', 'jsonSchemaDialect'),
      'x-rate-limit-plans': map(object('Plan')),
      'x-error-codes': map(object('ErrorCode')),
    },
  },
  Info: {
    called: 'info',
    required: ['title', 'version'],
    fields: {
      ...same('text', 'title', 'version', 'summary', 'description', 'termsOfService'),
      contact: object('Contact'),
      license: object('License'),
    },
  },
  Contact: { called: 'contact', fields: same('text', 'name', 'url', 'email') },
  License: { called: 'license', required: ['name'], fields: same('text', 'name', 'identifier', 'url') },
  Server: {
    called: 'a server',
    required: ['url'],
    fields: { ...same('text', 'url', 'description'), variables: map(object('ServerVariable')) },
  },
  ServerVariable: {
    called: 'a server variable',
    required: ['default'],
    fields: { ...same('text', 'default', 'description'), enum: list('text') },
  },
  Tag: {
    called: 'a tag',
    required: ['name'],
    fields: {
      ...same('text', 'name', 'description', 'x-displayName', 'x-parent'),
      externalDocs: object('ExternalDocs'),
    },
  },
  ExternalDocs: { called: 'externalDocs', required: ['url'], fields: same('text', 'url', 'description') },
  Components: {
    called: 'components',
    fields: {
      ...Object.fromEntries(
        Object.entries(SECTIONS).map(([kind, name]) => [name, map(reference(kind as Kind))]),
      ),
      schemas: map(schema),
      securitySchemes: map(object('SecurityScheme')),
      ...same('any', 'links', 'callbacks'),
    },
  },
  Paths: { called: 'paths', fields: {}, others: reference('PathItem') },
  PathItem: {
    called: 'a path item',
    fields: {
      ...same('text', 'summary', 'description'),
      servers: 'any',
      parameters: list(reference('Parameter')),
      ...same(object('Operation'), 'get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'),
    },
  },
  Operation: {
    called: 'an operation',
    fields: {
      ...same('text', 'operationId', 'summary', 'description'),
      tags: list('text'),
      externalDocs: object('ExternalDocs'),
      parameters: list(reference('Parameter')),
      requestBody: reference('RequestBody'),
      responses: object('Responses'),
      security,
      ...same('any', 'servers', 'callbacks'),
      ...same('flag', 'deprecated', 'x-internal', 'x-hideTryItPanel'),
      ...same('text', 'x-deprecated-since', 'x-deprecated-sunset'),
      'x-body-limit': 'count',
      'x-stability': oneOf('experimental', 'beta'),
    },
  },
  Parameter: {
    called: 'a parameter',
    required: ['name', 'in'],
    fields: { name: 'text', in: oneOf('path', 'query', 'header', 'cookie'), ...sent },
  },
  RequestBody: {
    called: 'a request body',
    required: ['content'],
    fields: { description: 'text', required: 'flag', content },
  },
  MediaType: { called: 'a media type', fields: { schema, ...examples, encoding: map(object('Encoding')) } },
  Encoding: {
    called: 'an encoding',
    fields: {
      ...same('text', 'contentType', 'style'),
      ...same('flag', 'explode', 'allowReserved'),
      headers: map(reference('Header')),
    },
  },
  Responses: { called: 'responses', fields: {}, others: reference('Response') },
  Response: {
    called: 'a response',
    fields: {
      description: 'text',
      headers: map(reference('Header')),
      content,
      links: 'any',
      'x-error-codes': list('text'),
    },
  },
  Header: { called: 'a header', fields: sent },
  Example: {
    called: 'an example',
    fields: { ...same('text', 'summary', 'description', 'externalValue'), value: 'any' },
  },
  Schema: {
    called: 'a schema',
    fields: {
      ...same('text', '$ref', '$schema', 'title', 'description', '$comment', 'format', 'pattern'),
      ...same('text', 'contentEncoding', 'contentMediaType'),
      type: either(type, list(type)),
      enum: list('any'),
      ...same('any', 'const', 'default', 'example', 'xml', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'),
      examples: list('any'),
      ...same('flag', 'deprecated', 'readOnly', 'writeOnly', 'uniqueItems', 'nullable'),
      ...same('number', 'minimum', 'maximum', 'multipleOf'),
      ...same(either('number', 'flag'), 'exclusiveMinimum', 'exclusiveMaximum'),
      ...same('count', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
      ...same('count', 'minContains', 'maxContains'),
      ...same(schema, 'items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'),
      ...same(schema, 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'),
      required: list('text'),
      dependentRequired: map(list('text')),
      ...same(map(schema), 'properties', 'patternProperties', 'dependentSchemas', '$defs'),
      ...same(list(schema), 'allOf', 'oneOf', 'anyOf', 'prefixItems'),
      discriminator: object('Discriminator'),
      externalDocs: object('ExternalDocs'),
      'x-extensible-enum': list('text'),
    },
  },
  Discriminator: {
    called: 'a discriminator',
    required: ['propertyName'],
    fields: { propertyName: 'text', mapping: map('text') },
  },
  SecurityScheme: {
    called: 'a security scheme',
    required: ['type'],
    fields: {
      ...same('text', 'description', 'name', 'scheme', 'bearerFormat'),
      type: oneOf('apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'),
      in: oneOf('query', 'header', 'cookie'),
      openIdConnectUrl: 'text',
      flows: 'any',
    },
  },
  SecurityRequirement: { called: 'a security requirement', fields: {}, others: list('text') },
  Plan: {
    called: 'a plan',
    required: ['name', 'perMinute', 'perDay'],
    fields: { name: 'text', ...same(either('count', oneOf('custom')), 'perMinute', 'perDay') },
  },
  ErrorCode: {
    called: 'an error code',
    required: ['status', 'description'],
    fields: { status: 'count', description: 'text' },
  },
};
