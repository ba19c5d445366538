import type { SourceDocument, Json } from '../../source-document.ts';
import { TOKEN } from './header-names.ts';
import { fieldIs, isInherited, refused, schemaOf, typesOf, when } from '../rule.ts';

const SCALARS = ['string', 'integer', 'number', 'boolean'];
const DEFAULT_STYLE: Record<string, string> = { path: 'simple', query: 'form', header: 'simple' };

const isScalar = (schema: Json) =>
  typesOf(schema).length === 1 &&
  SCALARS.includes(typesOf(schema)[0] ?? '') &&
  !schema.allOf &&
  !schema.oneOf &&
  !schema.anyOf;
const isArray = (parameter: Json, contract: SourceDocument) =>
  typesOf(schemaOf(parameter, contract))[0] === 'array';

export const parameterFeatures = [
  refused('Parameter', {
    feature: 'parameters without `schema` and `content`',
    find: when((each) => !each.schema && !each.content, 'name'),
    example: 'name: page # here\nin: query',
    advice: 'write schema: { type: string }',
  }),
  refused('Parameter', {
    feature: 'cookie parameters',
    find: fieldIs('in', 'cookie'),
    example: 'name: session\nin: cookie # here\nschema: { type: string }',
    advice: 'take the value from a header: in: header',
  }),
  refused('Parameter', {
    feature: 'headers whose names are no tokens (RFC 9110 §5.6.2)',
    find: when(({ in: place, name }) => place === 'header' && !TOKEN.test(name), 'name'),
    example: 'name: X Page # here\nin: header\nschema: { type: string }',
    advice: 'write letters, digits and -',
  }),
  refused('Parameter', {
    feature:
      'names with brackets, spaces or the like (`filter[kind]`), and those that every object of JavaScript has',
    find: when(
      ({ in: place, name = '' }) => (place !== 'header' && !/^[\w.~$:@-]+$/.test(name)) || isInherited(name),
      'name',
    ),
    example: 'name: filter[kind] # here\nin: query\nschema: { type: string }',
    advice: 'write letters, digits, - . _ ~',
  }),
  refused('Parameter', {
    feature: 'other styles (`deepObject`, `spaceDelimited`, `pipeDelimited`, `label`, `matrix`)',
    find: when(
      ({ in: place, style }) => style !== undefined && place && style !== DEFAULT_STYLE[place],
      'style',
    ),
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
      return each.content || (each.schema && !isScalar(item));
    }, 'schema'),
    example: 'name: filter\nin: query\nschema: { type: object, additionalProperties: true } # here',
    advice: 'write one parameter for each value, with one schema that says all of it, or a body',
  }),
];
