import { runCommand } from '@kit/server';
import { petstore } from './petstore.ts';

await runCommand(petstore);
