import { isObject } from '@kit/contract/json-pointer';
import { withSubschemas } from '@kit/contract/schema-view';

/** `schema` where every integer must be one that JSON carries exactly, and no more than its format says. */
export function exactly(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const isInteger = [schema['type']].flat().includes('integer');
  return { ...(isInteger && { format: 'int64' }), ...withSubschemas(schema, exactly) };
}
