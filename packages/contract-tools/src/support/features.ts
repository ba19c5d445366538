import { documentFeatures, pathFeatures } from './features/document.ts';
import { bodyFeatures, replyFeatures, securityFeatures } from './features/messages.ts';
import { parameterFeatures } from './features/parameters.ts';
import { referenceFeatures, schemaFeatures } from './features/schemas.ts';
import type { Feature } from './feature.ts';

/** OpenAPI that is supported, by the headings of docs/contract.md. */
export const chapters: Readonly<Record<string, readonly Feature[]>> = {
  'The document': documentFeatures,
  'Paths and operations': pathFeatures,
  Parameters: parameterFeatures,
  'Request bodies': bodyFeatures,
  Replies: replyFeatures,
  Security: securityFeatures,
  Schemas: schemaFeatures,
  References: referenceFeatures,
};
