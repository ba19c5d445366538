import type { Rule } from './rule.ts';
import { documentRules, pathRules } from './features/document.ts';
import { parameterRules } from './features/parameters.ts';
import { responseRules } from './features/responses.ts';
import { schemaRules } from './features/schemas.ts';
import { securityRules } from './features/security.ts';

/** Refused OpenAPI and mistakes that the grammar does not find, by the headings of docs/contract.md, which says what works. */
export const ruleGroups: Readonly<Record<string, readonly Rule[]>> = {
  'The document': documentRules,
  'Paths and operations': pathRules,
  Parameters: parameterRules,
  Responses: responseRules,
  Security: securityRules,
  Schemas: schemaRules,
};
