import { eachName, refused, when } from '../rule.ts';
import { keywordsBeside } from './schemas/keywords.ts';

export const referenceFeatures = [
  refused('Reference', {
    feature: '`$ref` to another file or address',
    find: when(({ $ref }) => !String($ref).startsWith('#'), '$ref'),
    example: '$ref: ./loan.yaml#/Loan # here',
    advice: 'the contract is one file: move it into components',
  }),
  refused('Reference', {
    feature: '`$ref` to anything but a component',
    find: when(({ $ref }) => /^#/.test($ref) && !/^#\/components\/\w+\/[^/]+$/.test($ref), '$ref'),
    example: '$ref: "#/components/schemas/Error/properties/code" # here',
    advice: 'give it a name in components',
  }),
  refused('Components', {
    feature: 'schemas called `ErrorBody`, `….sent` or `….received`',
    find: eachName((name) => /^ErrorBody$|\.(sent|received)$/.test(name), 'schemas'),
    example: 'schemas:\n  Tagged.sent: { type: string } # here',
    advice: 'give it another name: these are what is made of a schema, and the published name of Error',
  }),
  refused('Schema', {
    feature: 'keywords beside the `$ref` of a schema',
    find: (schema) => ('$ref' in schema ? keywordsBeside(schema, '$ref').map((name) => [name]) : []),
    example:
      'type: object\nproperties:\n  id:\n    $ref: "#/components/schemas/Tagged"\n    readOnly: true # here',
    advice: 'write allOf: [{ $ref }] and the keyword beside it, or into the schema it refers to',
  }),
];
