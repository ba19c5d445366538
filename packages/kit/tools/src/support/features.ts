import type { Rule } from './rule.ts';
import { documentFeatures, pathFeatures } from './features/document.ts';
import { parameterFeatures } from './features/parameters.ts';
import { responseFeatures } from './features/responses.ts';
import { schemaFeatures } from './features/schemas.ts';
import { securityFeatures } from './features/security.ts';

/** Refused OpenAPI, by the headings of docs/contract.md, which says what works. */
export const ruleGroups: Readonly<Record<string, readonly Rule[]>> = {
  'The document': documentFeatures,
  'Paths and operations': pathFeatures,
  Parameters: parameterFeatures,
  Responses: responseFeatures,
  Security: securityFeatures,
  Schemas: schemaFeatures,
};
