import { Command } from 'commander';
import { WrongSetting } from '../setup-error.ts';
import { version } from '../version.ts';
import { addAuditCommand } from './audit-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addOrderCommands } from './order-commands.ts';
import { addPetCommands } from './pet-commands.ts';
import { addTransferCommands } from './transfer-commands.ts';
import { addServeCommand } from './serve-command.ts';

/** The `petstore` command. Every part of the product adds its own commands. */
export function createProgram(): Command {
  const program = new Command('petstore')
    .description("The petstore's store orders: the service, and what its operator does.")
    .version(version)
    .exitOverride()
    // One prefix for all that goes wrong.
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'petstore: ')) })
    .showHelpAfterError('(run it with --help to see what it takes)')
    .addHelpText(
      'after',
      '\nThe store is in DATA_DIR, by default .data in the current folder.' +
        '\nExit codes: 0 done, 1 failed, 2 called or set up wrongly.',
    );
  addServeCommand(program);
  addKeyCommands(program);
  addAuditCommand(program);
  addOrderCommands(program);
  addPetCommands(program);
  addTransferCommands(program);
  // A command of 1.0, which shell profiles may still call.
  program
    .command('completion', { hidden: true })
    .argument('[shell]')
    .action(() => {
      throw new WrongSetting('shell completion was removed: `petstore --help` lists the commands');
    });
  // commander's own looks at the first word alone.
  program
    .command('help')
    .argument('[command...]')
    .description('display help for command')
    .action(async (words: string[]) => {
      await program.parseAsync([...words, '--help'], { from: 'user' });
    });
  return program;
}
