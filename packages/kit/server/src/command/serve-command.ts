import type { Command } from 'commander';
import { settings } from '../config.ts';
import { declaredJobs, type ServiceDefinition } from '../feature.ts';
import { wholeNumberArgument } from './arguments.ts';
import type { ServeOptions } from './serve.ts';
import { settingsHelp } from './settings-help.ts';

export function addServeCommand(program: Command, service: ServiceDefinition): void {
  const serve = program
    .command('serve')
    .description('run the service until a signal stops it')
    .option(
      '--port <number>',
      `port to listen on; 0 takes a free one (default: PORT, or ${settings.PORT.fallback})`,
      wholeNumberArgument(0, 65535),
    )
    .option('--host <address>', `address to listen on (default: HOST, or ${settings.HOST.fallback})`)
    .option(
      '--demo',
      'fill an empty embedded store, respond with examples if there is no handler, and print a key that only --demo accepts',
    )
    .option(
      '--validate-responses',
      'validate every response against the contract, and respond with 500 if it is invalid',
    )
    .addHelpText('after', settingsHelp(service.settings))
    .action(async (options: ServeOptions) => {
      // Loaded on demand, to keep other commands fast.
      const { serve } = await import('./serve.ts');
      await serve(service, options);
    });
  if (declaredJobs(service).size > 0)
    serve.option('--no-jobs', 'run no jobs: other instances do, with PostgreSQL');
}
