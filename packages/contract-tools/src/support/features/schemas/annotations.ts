import { reaches } from '../../../schema-graph.ts';
import { any, fieldOf, items, on, where, works } from '../../row.ts';

const { refused } = on('Schema');

export const annotationFeatures = [
  works(
    '`default` of a parameter or a property',
    'optional for the client even if required, always there for the handler',
  ),
  refused(
    '`default` elsewhere (in components, items, whole bodies, headers)',
    where(
      (schema, _contract, place) =>
        'default' in schema &&
        place.parent?.kind !== 'Parameter' &&
        !['properties', 'oneOf', 'anyOf'].includes(String(fieldOf(place))),
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
  works(
    '`readOnly` properties',
    'not in requests, even if required: sent all the same, it is refused with 400',
  ),
  works('`writeOnly` properties', 'not in replies, even if required'),
  refused(
    '`readOnly` and `writeOnly` elsewhere than at a property',
    (schema, place) =>
      fieldOf(place) === 'properties'
        ? []
        : ['readOnly', 'writeOnly'].filter((name) => name in schema).map((name) => [name]),
    'type: string\nreadOnly: true # here',
    'write it at each property that it is meant for',
  ),
  works('`title`, `description`, `example`, `examples`, `deprecated`, `$comment`'),
];
