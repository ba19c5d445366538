// Turbo, without the notice of its telemetry that would greet everybody on a new machine.
import { createRequire } from 'node:module';

process.env.TURBO_TELEMETRY_DISABLED = '1';
createRequire(import.meta.url)('turbo/bin/turbo');
