import { named, on, where } from '../rule.ts';
import { keywordsBeside } from './schemas/keywords.ts';

export const referenceFeatures = [
  on('Reference').refused(
    '`$ref` to another file or address',
    where(({ $ref }) => !String($ref).startsWith('#'), '$ref'),
    '$ref: ./loan.yaml#/Loan # here',
    'the contract is one file: move it into components',
  ),
  on('Reference').refused(
    '`$ref` to anything but a component',
    where(({ $ref }) => /^#/.test($ref) && !/^#\/components\/\w+\/[^/]+$/.test($ref), '$ref'),
    '$ref: "#/components/schemas/Error/properties/code" # here',
    'give it a name in components',
  ),
  on('Components').refused(
    'schemas called `ErrorBody`, `….sent` or `….received`',
    named((name) => /^ErrorBody$|\.(sent|received)$/.test(name), 'schemas'),
    'schemas:\n  Tagged.sent: { type: string } # here',
    'give it another name: these are what is made of a schema, and the published name of Error',
  ),
  on('Schema').refused(
    'keywords beside the `$ref` of a schema',
    (schema) => ('$ref' in schema ? keywordsBeside(schema, '$ref').map((name) => [name]) : []),
    'type: object\nproperties:\n  id:\n    $ref: "#/components/schemas/Tagged"\n    readOnly: true # here',
    'write allOf: [{ $ref }] and the keyword beside it, or into the schema it refers to',
  ),
];
