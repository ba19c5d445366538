// Redocly imports plugins itself, so this one line of JavaScript hands it the rules, which are TypeScript.
import { tsImport } from 'tsx/esm/api';

export default (await tsImport('./plugin.ts', import.meta.url)).default;
