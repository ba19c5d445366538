import { Option, type Command } from 'commander';
import type { ServiceDefinition } from '../feature.ts';
import { wholeNumber } from './arguments.ts';
import type { ServeOptions } from './serve.ts';

export function addServeCommand(program: Command, service: ServiceDefinition): void {
  program
    .command('serve')
    .description('run the service until it is told to stop')
    .option(
      '--port <number>',
      'port to listen on; 0 takes a free one (default: PORT, or 3000)',
      wholeNumber(0, 65535),
    )
    .option('--host <address>', 'address to listen on (default: HOST, or 127.0.0.1)')
    .option(
      '--demo',
      'fill an empty embedded store, answer from examples what is not implemented, and print a key',
    )
    .option(
      '--validate-responses',
      'hold every response against the contract, and answer 500 where it is broken',
    )
    // Its name in 1.0.
    .addOption(new Option('--check-replies').hideHelp().implies({ validateResponses: true }))
    .action(async (options: ServeOptions) => {
      // The other commands need not wait until the service is loaded.
      const { serve } = await import('./serve.ts');
      await serve(service, options);
    });
}
