import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder, deleted after the test run. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'kit-test-'));
