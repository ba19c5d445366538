/** Says what is going on: in place on a terminal, a line per step elsewhere. */
export interface Progress {
  step(text: string): void;
  clear(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const started = performance.now();
  const clock = () => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  if (!stream.isTTY) {
    return {
      step: (text) => void stream.write(`${clock()}  ${text}\n`),
      clear: () => {},
    };
  }
  const clear = () => void stream.write('\r\x1b[K');
  return {
    step: (text) => {
      clear();
      stream.write(`${clock()}  ${text}`.slice(0, (stream.columns || 80) - 1));
    },
    clear,
  };
}
