/** A service from its start to its stop. */
export interface Lifetime {
  /** False as soon as it stops. */
  readonly isAccepting: () => boolean;
  /** How long it goes on accepting connections after that, in milliseconds. */
  readonly delay: () => number;
  /** Has `close` called at the end. What is added last is closed first. */
  onClose(close: () => unknown): void;
  /** Closes all, once. */
  close(): Promise<void>;
  stop(delay?: number): Promise<void>;
}

export function createLifetime(): Lifetime {
  const closing: (() => unknown)[] = [];
  let accepting = true;
  let delay = 0;

  async function close(): Promise<void> {
    for (const item of closing.splice(0).reverse()) await item();
  }

  return {
    isAccepting: () => accepting,
    delay: () => delay,
    onClose: (item) => void closing.push(item),
    close,
    async stop(before = 0) {
      accepting = false;
      delay = before;
      await close();
    },
  };
}
