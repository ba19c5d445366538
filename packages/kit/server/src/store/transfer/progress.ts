/** Shows the progress of long work. */
export interface Progress {
  start(total: number): void;
  /** `done` of the total. */
  update(done: number): void;
}
