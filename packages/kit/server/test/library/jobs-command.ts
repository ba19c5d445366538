/* The command of a library whose reminders of the book 1 fail for good. */
import { runCommand } from '../../src/index.ts';
import { remindingLibrary } from './with-jobs.ts';

const { service } = remindingLibrary({
  attempts: 1,
  run({ book }, { log }) {
    if (book === 1) throw new Error('no mail');
    log.info({ book }, 'reminded');
  },
});
await runCommand(service);
