import type { Rule } from './rule.ts';
import { bodyFeatures } from './features/bodies.ts';
import { documentFeatures, pathFeatures } from './features/document.ts';
import { parameterFeatures } from './features/parameters.ts';
import { referenceFeatures } from './features/references.ts';
import { responseFeatures } from './features/responses.ts';
import { annotationFeatures } from './features/schemas/annotations.ts';
import { collectionFeatures } from './features/schemas/collections.ts';
import { compositionFeatures } from './features/schemas/composition.ts';
import { numberFeatures } from './features/schemas/numbers.ts';
import { stringFeatures } from './features/schemas/strings.ts';
import { typeFeatures } from './features/schemas/types.ts';
import { securityFeatures } from './features/security.ts';

/** OpenAPI that is refused, by the headings of docs/contract.md, which says what works. */
export const ruleGroups: Readonly<Record<string, readonly Rule[]>> = {
  'The document': documentFeatures,
  'Paths and operations': pathFeatures,
  Parameters: parameterFeatures,
  'Request bodies': bodyFeatures,
  Responses: responseFeatures,
  Security: securityFeatures,
  Schemas: [
    ...typeFeatures,
    ...stringFeatures,
    ...numberFeatures,
    ...collectionFeatures,
    ...compositionFeatures,
    ...annotationFeatures,
  ],
  References: referenceFeatures,
};
