import { pino } from 'pino';

/** One line per request on standard output, buffered as pino's documentation advises. */
export const accessLog = pino({ base: null }, pino.destination({ sync: false, minLength: 4_096 }));
