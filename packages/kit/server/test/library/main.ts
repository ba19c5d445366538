import { runCommand } from '../../src/index.ts';
import { library } from './library.ts';

await runCommand(library);
