import type { JsonObject } from '@contract-kit/core/json';
import type * as openApi from 'express-openapi-validator';
import { constraintsIn } from '../scalar.ts';
import { patternOf } from './path-pattern.ts';
import type { Validated } from './validated.ts';

/** Without bodies, which it validates neither exactly nor safely: see docs/decisions/0006. */
export function documentOf(methods: readonly string[], path: string, validated: readonly Validated[]) {
  const operation = { parameters: validated.map(describedFor), responses: {} };
  const item = Object.fromEntries(methods.map((method) => [method.toLowerCase(), operation]));
  return {
    openapi: '3.1.0' as const,
    info: { title: '', version: '' },
    components: {},
    webhooks: {},
    paths: { [path.split('/').map(patternOf).join('/')]: item },
  } as unknown as Parameters<typeof openApi.middleware>[0]['apiSpec'];
}

function describedFor({
  name,
  in: place,
  required,
  schema,
  style,
  explode,
  isList,
  scalar,
}: Validated): JsonObject {
  return {
    ...{ name, in: place, required, style, explode },
    schema: isList ? { ...constraintsIn(schema), items: scalar.schema } : scalar.schema,
    // Otherwise it wants `:` in a time encoded, and a text that is not empty.
    ...(place === 'query' && { allowReserved: true, allowEmptyValue: true }),
  };
}
