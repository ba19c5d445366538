/** Tells what a command is doing now. */
export type Progress = (doing: string) => void;

/** In milliseconds. What is shorter is not told. */
const QUIET = 2_000;
/** The least time between two lines where they stay. */
const BETWEEN_LINES = 10_000;

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Runs `work`, and tells on `output` what it is doing if it takes longer than two seconds: on a terminal in one line that
 * goes away, elsewhere in a line from time to time.
 */
export async function withProgress<Result>(
  work: (progress: Progress) => Promise<Result>,
  output: Output = process.stderr,
  now: () => number = Date.now,
): Promise<Result> {
  let next = now() + QUIET;
  let isShown = false;
  const clear = () => {
    if (output.isTTY && isShown) output.write('\r\u001b[K');
    isShown = false;
  };
  try {
    return await work((doing) => {
      if (now() < next) return;
      clear();
      output.write(output.isTTY ? `${doing} …` : `${doing} …\n`);
      isShown = true;
      next = now() + (output.isTTY ? QUIET / 10 : BETWEEN_LINES);
    });
  } finally {
    clear();
  }
}

/** For callers that tell nobody. */
export const NO_PROGRESS: Progress = () => undefined;
