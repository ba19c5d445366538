import { has, named, refused, where, works } from '../feature.ts';
import { others } from './schemas/others.ts';

export const referenceFeatures = [
  works(
    '`$ref` to the components of the contract',
    'Reference',
    where(({ $ref }) => /^#\/components\/\w+\/[^/]+$/.test($ref), '$ref'),
    '',
    '$ref: "#/components/schemas/Tagged"',
  ),
  refused(
    '`$ref` to another file or address',
    'Reference',
    where(({ $ref }) => !String($ref).startsWith('#'), '$ref'),
    'the contract is one file: move it into components',
    '$ref: ./order.yaml#/Order # here',
  ),
  refused(
    '`$ref` to anything but a component',
    'Reference',
    where(({ $ref }) => /^#/.test($ref) && !/^#\/components\/\w+\/[^/]+$/.test($ref), '$ref'),
    'give it a name in components',
    '$ref: "#/components/schemas/Error/properties/code" # here',
  ),
  refused(
    'schemas called `ErrorBody`, `….sent` or `….received`',
    'Components',
    named((name) => /^ErrorBody$|\.(sent|received)$/.test(name), 'schemas'),
    'give it another name: these are what is made of a schema, and the published name of Error',
    'schemas:\n  Tagged.sent: { type: string } # here',
  ),
  refused(
    'keywords beside the `$ref` of a schema',
    'Schema',
    (schema) => ('$ref' in schema ? others(schema, '$ref').map((name) => [name]) : []),
    'write allOf: [{ $ref }] and the keyword beside it, or into the schema it refers to',
    'type: object\nproperties:\n  id:\n    $ref: "#/components/schemas/Tagged"\n    readOnly: true # here',
  ),
  refused(
    '`$id`, `$schema`, `$anchor`, `$dynamicRef`, `$dynamicAnchor`, `$recursiveRef`, `$vocabulary`',
    'Schema',
    has(
      '$id',
      '$schema',
      '$anchor',
      '$dynamicRef',
      '$dynamicAnchor',
      '$recursiveRef',
      '$recursiveAnchor',
      '$vocabulary',
      'id',
    ),
    'leave it out: schemas are named by components',
    'type: string\n$anchor: name # here',
  ),
  refused(
    '`$defs`, `definitions`',
    'Schema',
    has('$defs', 'definitions'),
    'move them into components.schemas',
    'type: string\n$defs: {} # here',
  ),
];
