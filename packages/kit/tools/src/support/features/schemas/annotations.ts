import { reaches } from '../../../schema-graph.ts';
import { any, fieldOf, items, on, where } from '../../rule.ts';

const { refused } = on('Schema');

export const annotationFeatures = [
  refused(
    '`default` elsewhere (in components, items, whole bodies, headers)',
    where(
      (schema, _contract, node) =>
        'default' in schema &&
        node.parent?.kind !== 'Parameter' &&
        !['properties', 'oneOf', 'anyOf'].includes(String(fieldOf(node))),
      'default',
    ),
    'type: integer\ndefault: 1 # here',
    'write it at each property or parameter that it is meant for',
  ),
  refused(
    '`default` within `oneOf` or `anyOf`',
    any(
      ...['oneOf', 'anyOf'].map((keyword) =>
        items(keyword, (branch, _schema, contract) => reaches(contract, branch, ['default'])),
      ),
    ),
    'oneOf:\n  - { type: string, default: a } # here',
    'leave it out: which branch it belongs to is not known yet',
  ),
  refused(
    '`readOnly` and `writeOnly` elsewhere than at a property',
    (schema, node) =>
      fieldOf(node) === 'properties'
        ? []
        : ['readOnly', 'writeOnly'].filter((name) => name in schema).map((name) => [name]),
    'type: string\nreadOnly: true # here',
    'write it at each property that it is meant for',
  ),
];
