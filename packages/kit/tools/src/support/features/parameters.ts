import type { Contract, Json } from '../../contract.ts';
import { TOKEN } from './header-names.ts';
import { is, isInherited, on, schemaOf, typesOf, where } from '../row.ts';

const SCALARS = ['string', 'integer', 'number', 'boolean'];
const DEFAULT_STYLE: Record<string, string> = { path: 'simple', query: 'form', header: 'simple' };

const isScalar = (schema: Json) =>
  typesOf(schema).length === 1 &&
  SCALARS.includes(typesOf(schema)[0] ?? '') &&
  !schema.allOf &&
  !schema.oneOf &&
  !schema.anyOf;
const isArray = (parameter: Json, contract: Contract) =>
  typesOf(schemaOf(parameter, contract))[0] === 'array';

export const parameterFeatures = [
  on('Parameter').refused(
    'parameters without `schema` and `content`',
    where((each) => !each.schema && !each.content, 'name'),
    'name: page # here\nin: query',
    'write schema: { type: string }',
  ),
  on('Parameter').refused(
    'cookie parameters',
    is('in', 'cookie'),
    'name: session\nin: cookie # here\nschema: { type: string }',
    'take the value from a header: in: header',
  ),
  on('Parameter').refused(
    'headers whose names are no tokens (RFC 9110 §5.6.2)',
    where(({ in: place, name }) => place === 'header' && !TOKEN.test(name), 'name'),
    'name: X Page # here\nin: header\nschema: { type: string }',
    'write letters, digits and -',
  ),
  on('Parameter').refused(
    'names with brackets, spaces or the like (`filter[kind]`), and those that every object of JavaScript has',
    where(({ name }) => !/^[\w.~$:@-]+$/.test(name) || isInherited(name), 'name'),
    'name: filter[kind] # here\nin: query\nschema: { type: string }',
    'write letters, digits, - . _ ~',
  ),
  on('Parameter').refused(
    'other styles (`deepObject`, `spaceDelimited`, `pipeDelimited`, `label`, `matrix`)',
    where(({ in: place, style }) => style !== undefined && style !== DEFAULT_STYLE[place], 'style'),
    'name: tag\nin: query\nstyle: pipeDelimited # here\nschema: { type: array, items: { type: string } }',
    'leave style out: queries are form, paths and headers simple',
  ),
  on('Parameter').refused(
    'parameters that are neither a scalar nor, in a query, an array of scalars (objects, `oneOf`, `anyOf`, `allOf`, no `type`)',
    where((each, contract) => {
      const schema = schemaOf(each, contract);
      const isQueryArray = each.in === 'query' && isArray(each, contract);
      const item = isQueryArray ? (contract.resolve(schema.items) ?? {}) : schema;
      return each.content || (each.schema && !isScalar(item));
    }, 'schema'),
    'name: filter\nin: query\nschema: { type: object, additionalProperties: true } # here',
    'write one parameter for each value, with one schema that says all of it, or a body',
  ),
];
