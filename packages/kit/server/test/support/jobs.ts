import { remindingLibrary, type RemindJob } from '../library/with-jobs.ts';
import { createTestTools } from './tools.ts';

/** The library with a job, in tests. */
export function libraryWith(job: Partial<RemindJob> & Pick<RemindJob, 'run'>) {
  const { service, given } = remindingLibrary(job);
  const tools = createTestTools(service);
  return {
    ...tools,
    service,
    /** A started service, and the services of its feature. */
    start: async (options?: Parameters<typeof tools.startTestService>[0]) => {
      const started = await tools.startTestService(options);
      return { ...started, given: given() };
    },
  };
}
