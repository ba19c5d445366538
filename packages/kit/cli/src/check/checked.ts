import type { Contract, ServiceNames } from '@contract-kit/core';
import { completed, publishedValue, type SourceDocument } from '@contract-kit/core/openapi';
import { guessedErrors, type GuessedErrors } from '../error-body/error-body.ts';

/** A contract that is checked. */
export interface Checked {
  /** As its author wrote it. */
  readonly written: SourceDocument;
  readonly published: SourceDocument;
  readonly value: Contract;
  /** The bodies of errors that the kit does not make by itself. */
  readonly errors: GuessedErrors | undefined;
}

/** `written`, completed once for all that is made of it. */
export function checkedOf(written: SourceDocument, names: ServiceNames): Checked {
  const published = completed(written);
  const value = publishedValue(published, names);
  return { written, published, value, errors: guessedErrors(published.model, names.name) };
}
