import { withShared } from '@contract-kit/core/model';
import type { Json } from '@contract-kit/core/openapi';
import { invalid, unsupported, typesOf, when, TOKEN } from '../rule.ts';

/** The styles of each place (OpenAPI 3.2 §4.12.2.2). */
const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

export const parameterRules = [
  unsupported('Parameter', {
    feature: '`in: querystring`',
    find: when(({ in: place }) => place === 'querystring', 'in'),
    example: 'name: filter\nin: querystring # here\ncontent: { application/json: { schema: {} } }',
    advice: 'write in: query',
  }),
  unsupported('Parameter', {
    feature: 'headers whose names are not tokens (RFC 9110 §5.6.2)',
    find: when(({ in: place, name = 'a' }) => place === 'header' && !TOKEN.test(name), 'name'),
    example: 'name: X Page # here\nin: header\nschema: { type: string }',
    advice: 'write letters, digits and -',
  }),
  unsupported('Parameter', {
    feature: 'the name `__proto__`, which JavaScript loses',
    find: when(({ name }) => name === '__proto__', 'name'),
    example: 'name: __proto__ # here\nin: query\nschema: { type: string }',
    advice: 'choose another name',
  }),
  unsupported('Parameter', {
    feature: 'objects in the styles `label` and `matrix`',
    find: when(
      (item, { contract }) =>
        /^(label|matrix)$/.test(item.style) && typesOf(contract.resolve(item.schema)).includes('object'),
      'style',
    ),
    example:
      'name: shelf\nin: path\nrequired: true\nstyle: matrix # here\nschema: { type: object, properties: {} }',
    advice: 'write one parameter for each value',
  }),
  unsupported('Parameter', {
    feature: 'lists of objects',
    find: when(({ schema, style }, { contract }) => {
      const list = contract.resolve(schema);
      return style !== 'deepObject' && typesOf(contract.resolve(list?.items)).includes('object');
    }, 'schema'),
    example: 'name: sort\nin: query\nschema: { type: array, items: { type: object } } # here',
    advice: 'write content with application/json: no style has a form for them',
  }),
  unsupported('Operation', {
    feature: 'two parameters of an operation with one name in different places',
    find: ({ parameters = [] }, { node, contract }) => {
      const shared: Json[] = contract.valueAt([...node.pointer.slice(0, -1), 'parameters']) ?? [];
      const all = withShared<Json>(shared, parameters, (item) => contract.resolve(item) ?? {});
      const written = all.map((item) => contract.resolve(item) ?? {});
      return all.flatMap((item, index) => {
        // Of one place: another rule finds it.
        const { name, in: place } = written[index];
        if (!written.slice(0, index).some((other) => other.name === name && other.in !== place)) return [];
        return [parameters.includes(item) ? ['parameters', parameters.indexOf(item)] : []];
      });
    },
    example:
      'parameters:\n  - { name: page, in: header, schema: { type: string } }\n  - { name: page, in: query, schema: { type: string } } # here',
    advice: 'rename one, in a path if you can: that name is not sent',
  }),
  invalid('Parameter', {
    message: 'a parameter needs schema, or content',
    find: when(
      (item) => item.in && !('schema' in item) && Object.keys(item.content ?? {}).length === 0,
      'name',
    ),
    example: 'name: page # here\nin: query',
  }),
  invalid('Parameter', {
    message: '"{value}" is no style of this place: leave it out',
    find: when(
      ({ in: place, style }) => style !== undefined && STYLES[place]?.includes(style) === false,
      'style',
    ),
    example: 'name: tag\nin: query\nstyle: simple # here\nschema: { type: string }',
  }),
];
