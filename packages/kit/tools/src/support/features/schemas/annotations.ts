import { reaches } from '../../../schema-graph.ts';
import { anyOf, fieldOf, eachItem, refused, when } from '../../rule.ts';

export const annotationFeatures = [
  refused('Schema', {
    feature: '`default` elsewhere (in components, items, whole bodies, headers)',
    find: when(
      (schema, { node }) =>
        'default' in schema &&
        node.parent?.kind !== 'Parameter' &&
        !['properties', 'oneOf', 'anyOf'].includes(String(fieldOf(node))),
      'default',
    ),
    example: 'type: integer\ndefault: 1 # here',
    advice: 'write it at each property or parameter that it is meant for',
  }),
  refused('Schema', {
    feature: '`default` within `oneOf` or `anyOf`',
    find: anyOf(
      ...['oneOf', 'anyOf'].map((keyword) =>
        eachItem(keyword, (branch, { contract }) => reaches(contract, branch, ['default'])),
      ),
    ),
    example: 'oneOf:\n  - { type: string, default: a } # here',
    advice: 'leave it out: which branch it belongs to is not known yet',
  }),
  refused('Schema', {
    feature: '`readOnly` and `writeOnly` elsewhere than at a property',
    find: (schema, { node }) =>
      fieldOf(node) === 'properties'
        ? []
        : ['readOnly', 'writeOnly'].filter((name) => name in schema).map((name) => [name]),
    example: 'type: string\nreadOnly: true # here',
    advice: 'write it at each property that it is meant for',
  }),
];
