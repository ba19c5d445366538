import { findProgram } from './program.ts';

/** Where Chromium is on this machine, if it is. */
export const chromiumPath =
  findProgram('chromium') ?? findProgram('chromium-browser') ?? findProgram('google-chrome');
