// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

/* What is published of them: all but the internal operations, and what only those use. */
export { headerTypes } from './headers.ts';
export { operations, type Operations } from './operations.ts';
export { policies } from './policies.ts';
export type { components } from './schema.ts';
