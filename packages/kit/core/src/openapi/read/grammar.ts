import { METHODS, REFERENCE, SUBSCHEMAS } from '../../model/index.ts';

/* The objects of OpenAPI 3.0 to 3.2 and of JSON Schema 2020-12, with their fields. */

/** The objects, as messages call them. */
export const CALLED = {
  Document: 'the document',
  Info: 'info',
  Contact: 'contact',
  License: 'license',
  Server: 'a server',
  ServerVariable: 'a server variable',
  Tag: 'a tag',
  ExternalDocs: 'externalDocs',
  Components: 'components',
  Paths: 'paths',
  PathItem: 'a path item',
  Operation: 'an operation',
  Parameter: 'a parameter',
  RequestBody: 'a request body',
  MediaType: 'a media type',
  Encoding: 'an encoding',
  Responses: 'responses',
  Response: 'a response',
  Header: 'a header',
  Example: 'an example',
  Schema: 'a schema',
  Discriminator: 'a discriminator',
  SecurityScheme: 'a security scheme',
  SecurityRequirement: 'a security requirement',
  Plan: 'a plan',
  ErrorCode: 'an error code',
  Link: 'a link',
  Callback: 'a callback',
} as const;

export type Kind = keyof typeof CALLED;

/** Objects that tell people something, and nothing to a server or a client. */
const DOCUMENTATION: readonly Kind[] = ['Info', 'Contact', 'License', 'Tag', 'ExternalDocs', 'Example'];

/** Fields of any object that do. */
const DOCUMENTING = [
  ...['info', 'tags', 'externalDocs', 'title', 'summary', 'description', '$comment'],
  ...['example', 'examples', 'x-displayName', 'bearerFormat', 'termsOfService'],
];

/** Whether a field of an object, or without one the object, is documentation: a mistake in it changes no request and no response. */
export function isDocumentation(kind: Kind, field?: string): boolean {
  return (
    DOCUMENTATION.includes(kind) ||
    (kind === 'Server' && field === 'name') ||
    (field !== undefined && DOCUMENTING.includes(field) && Object.hasOwn(GRAMMAR[kind].fields, field))
  );
}

export type Shape =
  | 'text'
  | 'flag'
  | 'number'
  | 'count'
  | 'positive'
  | 'any'
  /** Documentation of any shape, whose references are followed. */
  | 'free'
  /** Documentation: its references are followed, and nothing else in it is checked. */
  | { readonly shown: Shape }
  | { readonly words: readonly string[] }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly object: Kind }
  /** The object, or a reference to one in `components`. */
  | { readonly reference: Kind }
  | { readonly either: readonly [Shape, Shape] };

interface ObjectShape {
  readonly required?: readonly string[];
  readonly fields: Readonly<Record<string, Shape>>;
  /** The values of names that the author chooses. */
  readonly others?: Shape;
}

const list = (of: Shape): Shape => ({ list: of });
const map = (of: Shape): Shape => ({ map: of });
const object = (kind: Kind): Shape => ({ object: kind });
const reference = (kind: Kind): Shape => ({ reference: kind });
const shown = (shape: Shape): Shape => ({ shown: shape });
const word = (...words: string[]): Shape => ({ words });
const either = (one: Shape, other: Shape): Shape => ({ either: [one, other] });
const same = (shape: Shape, ...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, shape]));

const schema = either(object('Schema'), 'flag');
const type = word('string', 'integer', 'number', 'boolean', 'object', 'array', 'null');
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
  SecurityScheme: 'securitySchemes',
  Link: 'links',
  Callback: 'callbacks',
};

/** Fields that hold values wherever they are, extensions such as `x-examples` included: a reference in them is data. */
const DATA = /^(enum|const|default|value)$|example/i;

/** Whether a field that OpenAPI does not have holds values by its name. */
export const isDataName = (name: string): boolean => DATA.test(name);

/** Whether a field holds values: a reference in them is none. */
export function isData(kind: Kind, field: string): boolean {
  const { fields, others } = GRAMMAR[kind];
  if (!Object.hasOwn(fields, field)) return field.startsWith('x-') || others === undefined;
  const shape = fields[field] as Shape;
  if (typeof shape === 'string') return shape === 'any' || shape === 'free';
  return 'shown' in shape || ('list' in shape && shape.list === 'any');
}

export const GRAMMAR: Readonly<Record<Kind, ObjectShape>> = {
  Document: {
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
      ...same('text', '$self'),
      webhooks: shown(map(object('PathItem'))),
      jsonSchemaDialect: 'free',
      'x-rate-limit-plans': map(object('Plan')),
      'x-error-codes': map(object('ErrorCode')),
    },
  },
  Info: {
    required: ['title', 'version'],
    fields: {
      ...same('text', 'title', 'version', 'summary', 'description', 'termsOfService'),
      contact: object('Contact'),
      license: object('License'),
    },
  },
  Contact: { fields: same('text', 'name', 'url', 'email') },
  License: { required: ['name'], fields: same('text', 'name', 'identifier', 'url') },
  Server: {
    required: ['url'],
    fields: { ...same('text', 'url', 'name', 'description'), variables: map(object('ServerVariable')) },
  },
  ServerVariable: {
    required: ['default'],
    fields: { ...same('text', 'default', 'description'), enum: list('text') },
  },
  Tag: {
    required: ['name'],
    fields: {
      ...same('text', 'name', 'summary', 'description', 'parent', 'kind', 'x-displayName', 'x-parent'),
      externalDocs: object('ExternalDocs'),
    },
  },
  ExternalDocs: { required: ['url'], fields: same('text', 'url', 'description') },
  Components: {
    fields: {
      ...Object.fromEntries(
        Object.entries(SECTIONS).map(([kind, name]) => [name, map(reference(kind as Kind))]),
      ),
      schemas: map(schema),
      mediaTypes: map(object('MediaType')),
      links: shown(map(reference('Link'))),
      callbacks: shown(map(reference('Callback'))),
    },
  },
  Paths: { fields: {}, others: reference('PathItem') },
  PathItem: {
    fields: {
      ...same('text', REFERENCE, 'summary', 'description'),
      servers: shown(list(object('Server'))),
      parameters: list(reference('Parameter')),
      ...same(object('Operation'), ...METHODS),
      additionalOperations: shown(map(object('Operation'))),
    },
  },
  Operation: {
    fields: {
      ...same('text', 'operationId', 'summary', 'description'),
      tags: list('text'),
      externalDocs: object('ExternalDocs'),
      parameters: list(reference('Parameter')),
      requestBody: reference('RequestBody'),
      responses: object('Responses'),
      security,
      servers: shown(list(object('Server'))),
      callbacks: shown(map(reference('Callback'))),
      ...same('flag', 'deprecated', 'x-internal', 'x-hideTryItPanel'),
      ...same('text', 'x-deprecated-since', 'x-deprecated-sunset'),
      'x-body-limit': 'count',
      'x-stability': word('experimental', 'beta'),
    },
  },
  Parameter: {
    required: ['name', 'in'],
    fields: { name: 'text', in: word('path', 'query', 'querystring', 'header', 'cookie'), ...sent },
  },
  RequestBody: {
    required: ['content'],
    fields: { description: 'text', required: 'flag', content },
  },
  MediaType: {
    fields: {
      ...same(schema, 'schema', 'itemSchema'),
      ...examples,
      encoding: map(object('Encoding')),
      ...same('free', 'prefixEncoding', 'itemEncoding'),
    },
  },
  Encoding: {
    fields: {
      ...same('text', 'contentType', 'style'),
      ...same('flag', 'explode', 'allowReserved'),
      headers: map(reference('Header')),
      ...same('free', 'encoding', 'prefixEncoding', 'itemEncoding'),
    },
  },
  Responses: { fields: {}, others: reference('Response') },
  Response: {
    fields: {
      ...same('text', 'summary', 'description'),
      headers: map(reference('Header')),
      content,
      links: shown(map(reference('Link'))),
      'x-error-codes': list('text'),
    },
  },
  Header: { fields: sent },
  Example: {
    fields: {
      ...same('text', 'summary', 'description', 'externalValue', 'serializedValue'),
      ...same('any', 'value', 'dataValue'),
    },
  },
  Schema: {
    fields: {
      ...same('text', REFERENCE, '$schema', 'title', 'description', '$comment', 'format', 'pattern'),
      ...same('text', 'contentEncoding', 'contentMediaType'),
      type: either(type, list(type)),
      enum: list('any'),
      ...same('any', 'const', 'default', 'example', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'),
      xml: 'free',
      examples: list('any'),
      ...same('flag', 'deprecated', 'readOnly', 'writeOnly', 'uniqueItems', 'nullable'),
      ...same('number', 'minimum', 'maximum'),
      multipleOf: 'positive',
      ...same(either('number', 'flag'), 'exclusiveMinimum', 'exclusiveMaximum'),
      ...same('count', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
      ...same('count', 'minContains', 'maxContains'),
      ...same(schema, ...SUBSCHEMAS.single),
      ...same(list(schema), ...SUBSCHEMAS.list),
      ...same(map(schema), ...SUBSCHEMAS.map),
      required: list('text'),
      dependentRequired: map(list('text')),
      discriminator: object('Discriminator'),
      externalDocs: object('ExternalDocs'),
      'x-extensible-enum': list('text'),
    },
  },
  Discriminator: {
    required: ['propertyName'],
    fields: { ...same('text', 'propertyName', 'defaultMapping'), mapping: map('text') },
  },
  SecurityScheme: {
    required: ['type'],
    fields: {
      ...same('text', 'description', 'name', 'scheme', 'bearerFormat', 'oauth2MetadataUrl'),
      deprecated: 'flag',
      type: word('apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'),
      in: word('query', 'header', 'cookie'),
      openIdConnectUrl: 'text',
      flows: 'free',
    },
  },
  SecurityRequirement: { fields: {}, others: list('text') },
  Plan: {
    required: ['name', 'perMinute', 'perDay'],
    fields: { name: 'text', ...same(either('count', word('custom')), 'perMinute', 'perDay') },
  },
  ErrorCode: {
    required: ['status', 'description'],
    fields: { status: 'count', description: 'text' },
  },
  Link: {
    fields: {
      ...same('text', 'operationRef', 'operationId', 'description'),
      ...same('any', 'parameters', 'requestBody'),
      server: object('Server'),
    },
  },
  Callback: { fields: {}, others: object('PathItem') },
};
