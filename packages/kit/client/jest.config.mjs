import path from 'node:path';
import { preset } from '../../../jest.config.mjs';

export default {
  ...preset,
  moduleNameMapper: {
    ...preset.moduleNameMapper,
    // package.json leads to the build, whose classes are others than those of the sources.
    '^#platform$': path.join(import.meta.dirname, 'src/platform.ts'),
  },
};
