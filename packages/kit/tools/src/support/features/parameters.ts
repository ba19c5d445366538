import { methodsOf } from '@kit/contract/described-operation';
import type { SourceDocument, Json } from '../../source-document.ts';
import { NOT_FOR_CALLERS } from './header-names.ts';
import { fieldIs, isInherited, refused, schemaOf, typesOf, when } from '../rule.ts';

const SCALARS = ['string', 'integer', 'number', 'boolean'];
/** Scalars that an empty text is none of. */
const NULLABLE = ['integer', 'number', 'boolean'];
const DEFAULT_STYLE: Record<string, string> = { path: 'simple', query: 'form', header: 'simple' };

const isScalar = (schema: Json) =>
  typesOf(schema).length === 1 && SCALARS.includes(typesOf(schema)[0] ?? '') && !schema.allOf;
const nullable = (schema: Json) => [schema.type].flat().includes('null');
const isArray = (parameter: Json, contract: SourceDocument) =>
  typesOf(schemaOf(parameter, contract))[0] === 'array';

/** Whether a security scheme takes the header. */
const isCredential = (name: string, { document }: SourceDocument) =>
  Object.values<Json>(document.components?.securitySchemes ?? {}).some(
    (scheme) => scheme.in === 'header' && scheme.name?.toLowerCase() === name.toLowerCase(),
  );

export const parameterFeatures = [
  refused('Parameter', {
    feature: 'cookie parameters',
    find: fieldIs('in', 'cookie'),
    example: 'name: session\nin: cookie # here\nschema: { type: string }',
    advice: 'take the value from a header: in: header',
  }),
  refused('Parameter', {
    feature:
      'header parameters that belong to HTTP, the pipeline or the browser (`Authorization`, `Accept`, `Host`, …)',
    find: when(
      ({ in: place, name }, { contract }) =>
        place === 'header' && (NOT_FOR_CALLERS.test(name) || isCredential(name, contract)),
      'name',
    ),
    example: 'name: Authorization # here\nin: header\nschema: { type: string }',
    advice: 'choose another name; a key belongs into a security scheme',
  }),
  refused('Parameter', {
    feature:
      'names with brackets, spaces or the like (`filter[kind]`), and those that every object of JavaScript has',
    find: when(({ name }) => !/^[\w.~-]+$/.test(name) || isInherited(name), 'name'),
    example: 'name: filter[kind] # here\nin: query\nschema: { type: string }',
    advice: 'write letters, digits, - . _ ~',
  }),
  refused('Parameter', {
    feature: '`default` of a query array',
    find: when(
      (each, { contract }) => isArray(each, contract) && 'default' in schemaOf(each, contract),
      'schema',
      'default',
    ),
    example: 'name: tag\nin: query\nschema:\n  type: array\n  items: { type: string }\n  default: [a] # here',
    advice: 'leave it out: an empty array, which is sent as no parameter, could not be told from it',
  }),
  refused('Parameter', {
    feature: 'other styles (`deepObject`, `spaceDelimited`, `pipeDelimited`, `label`, `matrix`)',
    find: when(({ in: place, style }) => style !== undefined && style !== DEFAULT_STYLE[place], 'style'),
    example:
      'name: tag\nin: query\nstyle: pipeDelimited # here\nschema: { type: array, items: { type: string } }',
    advice: 'leave style out: queries are form, paths and headers simple',
  }),
  refused('Parameter', {
    feature:
      'parameters that are neither a scalar nor, in a query, an array of scalars (objects, `oneOf`, `anyOf`, `allOf`, no `type`)',
    find: when((each, { contract }) => {
      const schema = schemaOf(each, contract);
      const isQueryArray = each.in === 'query' && isArray(each, contract);
      const item = isQueryArray ? (contract.resolve(schema.items) ?? {}) : schema;
      return each.schema && (!isScalar(item) || schema.allOf || (isQueryArray && nullable(item)));
    }, 'schema'),
    example: 'name: filter\nin: query\nschema: { type: object, additionalProperties: true } # here',
    advice: 'write one parameter for each value, with one schema that says all of it, or a body',
  }),
  refused('Parameter', {
    feature: 'other nullable parameters',
    find: when((each, { contract }) => {
      const schema = schemaOf(each, contract);
      return nullable(schema) && !(each.in === 'query' && NULLABLE.includes(typesOf(schema)[0] ?? ''));
    }, 'schema'),
    example: "name: name\nin: query\nschema: { type: [string, 'null'] } # here",
    advice: "leave 'null' out: an empty text could not be told from it",
  }),
  refused('PathItem', {
    feature: 'one name in two places (`id` in path and query)',
    find: (item, { contract }) => {
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
        ...methodsOf(item).flatMap((method) =>
          clashes(shared, resolved(item[method].parameters)).map((at) => [method, ...at]),
        ),
      ];
    },
    example: `parameters:
  - { name: id, in: header, schema: { type: string } }
  - { name: id, in: query, schema: { type: string } } # here`,
    advice: 'give each its own name: the client takes all of them side by side',
  }),
];
