/** Keeps the event loop from turning for `milliseconds`, as long work does, but leaves the processor to others. */
export function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
