import type { Json } from '../../../contract.ts';
import { reaches } from '../../../schema-graph.ts';
import { fieldOf, has, is, refused, where, works } from '../../feature.ts';

export const annotationFeatures = [
  works(
    '`default` of a parameter or a property',
    'Schema',
    has('default'),
    'optional for the client even if required, always there for the handler',
    'type: object\nproperties: { count: { type: integer, default: 1 } }',
  ),
  refused(
    '`default` elsewhere (in components, items, whole bodies, headers)',
    'Schema',
    where(
      (schema, _scope, place) =>
        'default' in schema &&
        place.parent?.kind !== 'Parameter' &&
        !['properties', 'oneOf', 'anyOf'].includes(String(fieldOf(place))),
      'default',
    ),
    'write it at each property or parameter that it is meant for',
    'type: integer\ndefault: 1 # here',
  ),
  refused(
    '`default` within `oneOf` or `anyOf`',
    'Schema',
    (schema, _place, { contract }) =>
      ['oneOf', 'anyOf'].flatMap((keyword) =>
        (schema[keyword] ?? []).flatMap((branch: Json, index: number) =>
          reaches(contract, branch, ['default']) ? [[keyword, index]] : [],
        ),
      ),
    'leave it out: which branch it belongs to is not known yet',
    'oneOf:\n  - { type: string, default: a } # here',
  ),
  works(
    '`readOnly` properties',
    'Schema',
    is('readOnly', true),
    'not in requests, even if required: sent all the same, it is refused with 400',
    'type: object\nproperties: { id: { type: integer, readOnly: true } }',
  ),
  works(
    '`writeOnly` properties',
    'Schema',
    is('writeOnly', true),
    'not in replies, even if required',
    'type: object\nproperties: { secret: { type: string, writeOnly: true } }',
  ),
  refused(
    '`readOnly` and `writeOnly` elsewhere than at a property',
    'Schema',
    (schema, place) =>
      fieldOf(place) === 'properties'
        ? []
        : ['readOnly', 'writeOnly'].filter((name) => name in schema).map((name) => [name]),
    'write it at each property that it is meant for',
    'type: string\nreadOnly: true # here',
  ),
  works(
    '`title`, `description`, `example`, `examples`, `deprecated`, `$comment`',
    'Schema',
    has('example'),
    '',
    'type: string\nexample: Rex',
  ),
  refused('`xml`', 'Schema', has('xml'), 'leave it out: bodies are JSON', 'type: string\nxml: {} # here'),
];
