import { METHODS } from '@petstore/contract/described-operation';
import type { Json } from '../../contract.ts';
import { NOT_FOR_CALLERS } from './header-names.ts';
import {
  any,
  has,
  is,
  isInherited,
  refused,
  schemaOf,
  typesOf,
  where,
  works,
  type Scope,
} from '../feature.ts';

const SCALARS = ['string', 'integer', 'number', 'boolean'];
const DEFAULT_STYLE: Record<string, string> = { path: 'simple', query: 'form', header: 'simple' };

const typed =
  (place: string, types: readonly string[], more: (schema: Json) => unknown = () => true) =>
  (parameter: Json, scope: Scope) => {
    const schema = schemaOf(parameter, scope);
    return parameter.in === place && types.includes(typesOf(schema)[0] ?? '') && more(schema);
  };
const nullable = (schema: Json) => [schema.type].flat().includes('null');
const isArray = (parameter: Json, scope: Scope) => typesOf(schemaOf(parameter, scope))[0] === 'array';

/** Whether a security scheme takes the header. */
const isCredential = (name: string, { document }: Scope['contract']) =>
  Object.values<Json>(document.components?.securitySchemes ?? {}).some(
    (scheme) => scheme.in === 'header' && scheme.name?.toLowerCase() === name.toLowerCase(),
  );

export const parameterFeatures = [
  works(
    'path parameters: strings, integers, numbers, booleans; patterns, enums, formats',
    'Parameter',
    where(typed('path', SCALARS), 'schema'),
    '',
    'name: orderId\nin: path\nrequired: true\nschema: { type: integer, format: int64 }',
  ),
  works(
    'query parameters: the same, with bounds and defaults',
    'Parameter',
    where(typed('query', SCALARS), 'schema'),
    'a query parameter that is not declared is refused with 400',
    'name: page\nin: query\nschema: { type: integer, minimum: 1, default: 1 }',
  ),
  works(
    'header parameters: the same',
    'Parameter',
    where(typed('header', SCALARS), 'schema'),
    '',
    'name: Idempotency-Key\nin: header\nschema: { type: string, format: uuid }',
  ),
  refused(
    'cookie parameters',
    'Parameter',
    is('in', 'cookie'),
    'take the value from a header: in: header',
    'name: session\nin: cookie # here\nschema: { type: string }',
  ),
  refused(
    'header parameters that belong to HTTP, the pipeline or the browser (`Authorization`, `Accept`, `Host`, …)',
    'Parameter',
    where(
      ({ in: place, name }, { contract }) =>
        place === 'header' && (NOT_FOR_CALLERS.test(name) || isCredential(name, contract)),
      'name',
    ),
    'choose another name; a key belongs into a security scheme',
    'name: Authorization # here\nin: header\nschema: { type: string }',
  ),
  refused(
    'names with brackets, spaces or the like (`filter[kind]`), and those that every object of JavaScript has',
    'Parameter',
    where(({ name }) => !/^[\w.~-]+$/.test(name) || isInherited(name), 'name'),
    'write letters, digits, - . _ ~',
    'name: filter[kind] # here\nin: query\nschema: { type: string }',
  ),
  works(
    'query arrays, `explode: true` (`?tag=a&tag=b`)',
    'Parameter',
    where((each, scope) => each.in === 'query' && isArray(each, scope) && each.explode !== false, 'schema'),
    'the default; an empty array is sent as no parameter',
    'name: tag\nin: query\nschema: { type: array, items: { type: string } }',
  ),
  works(
    'query arrays, `explode: false` (`?tag=a,b`)',
    'Parameter',
    where((each, scope) => each.in === 'query' && isArray(each, scope) && each.explode === false, 'explode'),
    'a comma in a value is escaped',
    'name: tag\nin: query\nexplode: false\nschema: { type: array, items: { type: string } }',
  ),
  refused(
    '`default` of a query array',
    'Parameter',
    where((each, scope) => isArray(each, scope) && 'default' in schemaOf(each, scope), 'schema', 'default'),
    'leave it out: an empty array, which is sent as no parameter, could not be told from it',
    'name: tag\nin: query\nschema:\n  type: array\n  items: { type: string }\n  default: [a] # here',
  ),
  refused(
    'arrays in a path or a header',
    'Parameter',
    where((each, scope) => ['path', 'header'].includes(each.in) && isArray(each, scope), 'schema'),
    'write an array into the query, or into the body',
    'name: X-Tags\nin: header\nschema: { type: array, items: { type: string } } # here',
  ),
  refused(
    'arrays of arrays, of objects or of nullable items in a query',
    'Parameter',
    where((each, scope) => {
      const { items } = schemaOf(each, scope);
      const item = scope.contract.resolve(items) ?? {};
      const simple = SCALARS.includes(typesOf(item)[0] ?? '') && !nullable(item);
      return each.in === 'query' && isArray(each, scope) && !simple;
    }, 'schema'),
    'use an array of strings, numbers or booleans, or a body',
    'name: filter\nin: query\nschema: { type: array, items: { type: object, additionalProperties: true } } # here',
  ),
  refused(
    'objects as parameters, `style: deepObject` too',
    'Parameter',
    any(
      where((each, scope) => typesOf(schemaOf(each, scope)).includes('object'), 'schema'),
      is('style', 'deepObject'),
    ),
    'write one parameter for each field',
    'name: filter\nin: query\nschema: { type: object, additionalProperties: true } # here',
  ),
  refused(
    'other styles (`spaceDelimited`, `pipeDelimited`, `label`, `matrix`)',
    'Parameter',
    where(
      ({ in: place, style }) =>
        style !== undefined && style !== 'deepObject' && style !== (DEFAULT_STYLE[place] ?? style),
      'style',
    ),
    'leave style out: queries are form, paths and headers simple',
    'name: tag\nin: query\nstyle: pipeDelimited # here\nschema: { type: array, items: { type: string } }',
  ),
  refused(
    '`explode` of anything but a query array',
    'Parameter',
    where((each, scope) => 'explode' in each && !(each.in === 'query' && isArray(each, scope)), 'explode'),
    'leave it out: it would change nothing',
    'name: page\nin: query\nexplode: true # here\nschema: { type: integer }',
  ),
  refused(
    '`allowReserved` and `allowEmptyValue`',
    'Parameter',
    has('allowReserved', 'allowEmptyValue'),
    'leave it out: values are escaped, and an empty one is an empty text',
    'name: path\nin: query\nallowReserved: true # here\nschema: { type: string }',
  ),
  refused(
    '`content` of a parameter',
    'Parameter',
    has('content'),
    'write schema, and what is nested into a body',
    'name: filter\nin: query\ncontent: { application/json: { schema: { type: string } } } # here',
  ),
  refused(
    'parameters of several types, or of none (`oneOf`, `anyOf`, `allOf`, no `type`)',
    'Parameter',
    where((each, scope) => each.schema && typesOf(schemaOf(each, scope)).length !== 1, 'schema'),
    'give the schema one type',
    'name: page\nin: query\nschema: { oneOf: [{ type: integer }, { type: string }] } # here',
  ),
  works(
    'nullable query parameters: integers, numbers, booleans',
    'Parameter',
    where(typed('query', ['integer', 'number', 'boolean'], nullable), 'schema'),
    'null is sent as an empty value: `?page=`',
    "name: page\nin: query\nschema: { type: [integer, 'null'] }",
  ),
  refused(
    'other nullable parameters',
    'Parameter',
    where(
      (each, scope) =>
        nullable(schemaOf(each, scope)) && !typed('query', ['integer', 'number', 'boolean'])(each, scope),
      'schema',
    ),
    "leave 'null' out: an empty text could not be told from it",
    "name: name\nin: query\nschema: { type: [string, 'null'] } # here",
  ),
  works(
    'parameters by `$ref`',
    'Operation',
    (operation) =>
      (operation.parameters ?? []).flatMap((each: Json, index: number) =>
        each.$ref ? [['parameters', index]] : [],
      ),
    '',
    "parameters: [{ $ref: '#/components/parameters/Example' }]",
  ),
  works(
    '`deprecated` parameters',
    'Parameter',
    is('deprecated', true),
    '',
    'name: page\nin: query\ndeprecated: true\nschema: { type: integer }',
  ),
  refused(
    'one name in two places (`id` in path and query)',
    'PathItem',
    (item, _place, { contract }) => {
      const resolved = (list: Json[] = []) => list.map((each) => contract.resolve(each));
      const clashes = (others: readonly Json[], list: readonly Json[]) =>
        list.flatMap(({ name, in: place }, index) =>
          [...others, ...list.slice(0, index)].some((each) => each.name === name && each.in !== place)
            ? [['parameters', index]]
            : [],
        );
      const shared = resolved(item.parameters);
      return [
        ...clashes([], shared),
        ...METHODS.flatMap((method) =>
          clashes(shared, resolved(item[method]?.parameters)).map((at) => [method, ...at]),
        ),
      ];
    },
    'give each its own name: the client takes all of them side by side',
    `parameters:
  - { name: id, in: header, schema: { type: string } }
  - { name: id, in: query, schema: { type: string } } # here`,
  ),
];
