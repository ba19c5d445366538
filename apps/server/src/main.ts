import { runCommand } from '@contract-kit/server';
import { petstore } from './petstore.ts';

await runCommand(petstore);
