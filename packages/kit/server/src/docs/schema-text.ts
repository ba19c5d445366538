import type { Schema, Schemas } from '@contract-kit/core/model';
import { fieldRowsOf, meaningOf, typeText } from './fields.ts';
import { joined, tableOf } from './markdown-blocks.ts';

/** All that a schema says, in Markdown: its type, its limits and its fields, without those of the other direction. */
export function schemaText(schemas: Schemas, schema: Schema, view?: 'sent' | 'response'): string {
  return joined([
    `${typeText(schema)}. ${meaningOf(schema)}`,
    tableOf('Field', fieldRowsOf(schemas, schema, view)),
  ]);
}
