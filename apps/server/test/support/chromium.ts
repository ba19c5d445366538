import { existsSync } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const folders = (process.env['PATH'] ?? '').split(path.delimiter);

/** Where Chromium is on this machine, if it is. */
export const chromiumPath = folders
  .flatMap((folder) => names.map((name) => path.join(folder, name)))
  .find((candidate) => existsSync(candidate));
