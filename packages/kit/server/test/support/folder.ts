import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder, which goes with all that a run of the tests leaves on the disk. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'kit-test-'));
