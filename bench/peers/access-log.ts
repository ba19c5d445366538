import { pino } from 'pino';

/** The access log of a peer, where it is asked for: one line for each request, as pino's documentation says is fastest. */
export const accessLog =
  process.env['LOG_LEVEL'] === 'info'
    ? pino({ base: null }, pino.destination({ sync: false, minLength: 4_096 }))
    : undefined;
