import type { Refusal } from './row.ts';
import { bodyFeatures } from './features/bodies.ts';
import { documentFeatures, pathFeatures } from './features/document.ts';
import { parameterFeatures } from './features/parameters.ts';
import { replyFeatures } from './features/replies.ts';
import { schemaFeatures } from './features/schemas.ts';
import { securityFeatures } from './features/security.ts';

/** OpenAPI that is refused, by the headings of docs/contract.md, which says what works. */
export const chapters: Readonly<Record<string, readonly Refusal[]>> = {
  'The document': documentFeatures,
  'Paths and operations': pathFeatures,
  Parameters: parameterFeatures,
  'Request bodies': bodyFeatures,
  Replies: replyFeatures,
  Security: securityFeatures,
  Schemas: schemaFeatures,
};
