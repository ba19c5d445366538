import { runCommand } from '@contract-kit/server';
import { service } from './service.ts';

await runCommand(service);
