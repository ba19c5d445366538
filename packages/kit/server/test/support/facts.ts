import { isObject, type JsonObject } from '@contract-kit/core/json';
import { callbacksOf, type Model, type Operation, type Schemas } from '@contract-kit/core/model';

/** Something that a contract says, as a reader looks for it. */
export interface Fact {
  readonly about: string;
  /** All of them stand in one row, paragraph or block. */
  readonly texts: readonly string[];
}

/** Keywords whose values a reader must see. */
const VALUES = [
  ...[
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'pattern',
    'format',
    'const',
  ],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'default'],
];

type View = 'sent' | 'response';

/** All that a contract says of one operation, also of its callbacks. Its components have facts of their own. */
export function factsOf(model: Model, operation: Operation): Fact[] {
  return [
    ...requestFacts(model, operation),
    ...callbacksOf(operation, model).flatMap(({ name, expression, operations }) => [
      { about: `${operation.id} callback ${name}`, texts: [name, expression] },
      ...operations.flatMap((sent) => requestFacts(model, sent)),
    ]),
  ];
}

function requestFacts({ schemas, schemes }: Model, operation: Operation): Fact[] {
  const { id, method, path, definition, parameters, body, responses, security } = operation;
  const at = (name: string, texts: readonly string[]) => ({ about: `${id} ${name}`, texts });
  const ofMedia = (place: string, content: readonly JsonObject[], view: View) =>
    content.flatMap((media) => {
      const { type, declaredSchema, itemSchema, example, examples = {} } = media;
      const items = isObject(itemSchema) && declaredSchema === undefined ? itemSchema : declaredSchema;
      return [
        at(`${place} type`, [String(type)]),
        ...schemaFacts(schemas, items, view).map(({ about, texts }) => at(`${place} ${about}`, texts)),
        ...(example === undefined ? [] : scalarsIn(example).map((text) => at(`${place} example`, [text]))),
        ...Object.entries(examples as JsonObject).flatMap(([name, written]) => {
          const { value, dataValue = value, summary = name } = schemas.resolve(written);
          const texts = [String(summary), ...scalarsIn(dataValue)];
          return texts.map((text) => at(`${place} example ${name}`, [text]));
        }),
      ];
    });
  return [
    at('address', [method, path]),
    ...[definition.summary, definition.description].flatMap((text) =>
      words(text).map((one) => at('text', [one])),
    ),
    ...parameters.flatMap(({ name, in: place, description, written, ...parameter }) => [
      at(`parameter ${name}`, [name, place, ...words(description), ...limitsOf(schemas, written)]),
      ...(parameter.required ? [at(`parameter ${name} required`, [name, 'required'])] : []),
      ...(parameter.deprecated ? [at(`parameter ${name} deprecated`, [name, 'Deprecated'])] : []),
      ...schemaFacts(schemas, written, 'sent').map(({ about, texts }) =>
        at(`parameter ${name} ${about}`, texts),
      ),
    ]),
    ...ofMedia('body', (body?.content ?? []) as unknown as JsonObject[], 'sent'),
    ...responses.flatMap(({ status, description, headers, content, codes = [], links = [] }) => [
      at(`response ${status}`, [status]),
      ...words(description).map((text) => at(`response ${status} text`, [text])),
      ...headers.map(({ name }) => at(`response ${status} header`, [name])),
      ...codes.map((code) => at(`response ${status} code`, [code])),
      ...links.map(({ name }) => at(`response ${status} link`, [name])),
      ...ofMedia(`response ${status}`, content as unknown as JsonObject[], 'response'),
    ]),
    ...security
      .flat()
      .flatMap(({ scheme, scopes }) => [
        at('scheme', [schemes.has(scheme) ? scheme : '']),
        ...scopes.map((scope) => at('scope', [scope])),
      ]),
  ];
}

/** All that a schema says itself: a reference is a fact, what is behind it is one of the component. */
export function schemaFacts(
  schemas: Schemas,
  schema: unknown,
  view?: View,
  depth = 0,
  isCondition = false,
): Fact[] {
  if (!isObject(schema) || depth > 12) return [];
  const {
    $ref,
    properties,
    required = [],
    items,
    prefixItems,
    additionalProperties,
    patternProperties,
  } = schema;
  const inner = (one: unknown, isCondition = false) =>
    schemaFacts(schemas, one, view, depth + 1, isCondition);
  if (typeof $ref === 'string' && /^#\/components\/schemas\//.test($ref))
    return [{ about: $ref, texts: [nameIn($ref)] }];
  const fields = Object.entries(objectIn(properties)).filter(
    ([, property]) => view === undefined || !schemas.isAbsentIn(view, property),
  );
  const lists = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => listIn(schema[keyword]));
  const conditions = ['if', 'not', 'contains'].map((keyword) => schema[keyword]);
  const others = ['then', 'else', 'propertyNames'].map((keyword) => schema[keyword]);
  const { discriminator } = schema as {
    discriminator?: { propertyName: string; mapping?: Record<string, string> };
  };
  return [
    ...fields.flatMap(([name, property]): Fact[] => [
      { about: `field ${name}`, texts: [name, ...limitsOf(schemas, property)] },
      ...(!isCondition &&
      (required as string[]).includes(name) &&
      !(view === 'sent' && schemas.defaultOf(property) !== undefined)
        ? [{ about: `field ${name} required`, texts: [name, 'required'] }]
        : []),
      ...inner(property).map(({ about, texts }) => ({ about: `${name}.${about}`, texts })),
    ]),
    ...(discriminator ? [{ about: 'discriminator', texts: [discriminator.propertyName] }] : []),
    ...Object.keys(discriminator?.mapping ?? {}).map((tag) => ({ about: 'tag', texts: [tag] })),
    ...Object.keys(objectIn(patternProperties)).map((pattern) => ({
      about: 'pattern',
      texts: [pattern],
    })),
    ...[
      ...[items, additionalProperties, ...lists, ...others, ...listIn(prefixItems)],
      ...Object.values(objectIn(patternProperties)),
    ].flatMap((one) => inner(one)),
    ...conditions.flatMap((one) => inner(one, true)),
  ];
}

/** The values of the keywords of a schema and of the items in it, with its description. */
function limitsOf(schemas: Schemas, schema: unknown): string[] {
  if (!isObject(schema) || schema['$ref'] !== undefined) return [];
  const values = VALUES.flatMap((keyword) => (schema[keyword] === undefined ? [] : [schema[keyword]]));
  const listed = [schema['enum'], schema['x-extensible-enum']].flatMap((list) => listIn(list));
  return [
    ...[...values, ...listed].map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    ...words(schema['description']),
    ...limitsOf(schemas, schema['items']),
  ];
}

/** What stays of a text in Markdown: its lines without signs. */
function words(text: unknown): string[] {
  if (typeof text !== 'string') return [];
  return text
    .split(/[\n`*_[\]()#|<>&"!]+/)
    .map((part) => part.trim())
    .filter((part) => part.length > 3);
}

function scalarsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value as JsonObject).flatMap(scalarsIn);
  if (value === undefined) return [];
  return typeof value === 'string' ? words(value.replaceAll('\\', ' ')) : [JSON.stringify(value)];
}

const nameIn = (reference: string) => decodeURIComponent(reference.split('/').at(-1) ?? '');

const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
