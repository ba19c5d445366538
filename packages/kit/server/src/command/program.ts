import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { declaredJobs, declaredTopics, type ServiceDefinition } from '../feature.ts';
import { createFeed } from '../feed/feed.ts';
import { createJobAdder } from '../jobs/job-adder.ts';
import { commandServicesOf } from '../services.ts';
import { addJobCommands } from './job-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addTransferCommands } from './transfer-commands.ts';
import { addServeCommand } from './serve-command.ts';
import { settingsHelp } from './settings-help.ts';
import { storeOpener } from './with-store.ts';

/** The command of a service: the kit's own commands, and those of its features. */
export function createProgram(service: ServiceDefinition): Command {
  const { contract, features, settings = {} } = service;
  const { name } = contract;
  const withStore = storeOpener(service);
  const program = new Command(name)
    .description(service.description)
    .version(service.version)
    .exitOverride()
    // One prefix for all errors.
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)) })
    .showHelpAfterError('(see --help)')
    .addHelpText(
      'after',
      '\nThe store is in DATA_DIR, by default .data in the current folder.' +
        '\nExit codes: 0 done, 1 failed, 2 wrong arguments or settings.' +
        settingsHelp(settings),
    );
  addServeCommand(program, service);
  addKeyCommands(program, service, withStore);
  addJobCommands(program, service, withStore);
  for (const [feature, { commands }] of Object.entries(features)) {
    commands?.(program, (work, options) =>
      withStore((store) => {
        const now = Date.now;
        const feed = createFeed({ ...store.feed, topics: declaredTopics(service), log: console, now });
        const jobs = createJobAdder(store.jobs, declaredJobs(service), now);
        const readSettings = () => readConfig(undefined, settings).settings;
        const services = commandServicesOf({ store, feed, jobs }, feature, readSettings);
        return work(store.features[feature], services);
      }, options),
    );
  }
  addTransferCommands(program, service);
  return program;
}
