import type { Operation } from './operations.ts';

/** Statuses that mean a failure of the server itself. Nothing a client sends may lead to one. */
const OF_FAILURES = [500, 503];
const NO_OPERATION = '(no operation)';

export interface Unseen {
  readonly operation: string;
  readonly status: number;
}

export interface Coverage {
  /** Notes an answer; `operation` is undefined for one that belongs to none, such as 405. */
  note(operation: string | undefined, status: number): void;
  readonly requests: number;
  seen(operation: string, status: number): number;
  /** What the contract declares and no answer had, failures of the server left out. */
  readonly unseen: readonly Unseen[];
  /** How often each operation answered with each status. */
  table(): string;
}

export function createCoverage(operations: readonly Operation[]): Coverage {
  const counts = new Map<string, Map<number, number>>();
  let requests = 0;
  const seen = (operation: string, status: number) => counts.get(operation)?.get(status) ?? 0;
  const unseenAmong = (statuses: (status: number) => boolean): Unseen[] =>
    operations.flatMap(({ id, statuses: declared }) =>
      declared
        .filter((status) => statuses(status) && seen(id, status) === 0)
        .map((status) => ({ operation: id, status })),
    );

  return {
    note(operation = NO_OPERATION, status) {
      requests += 1;
      const byStatus = counts.get(operation) ?? new Map<number, number>();
      counts.set(operation, byStatus.set(status, (byStatus.get(status) ?? 0) + 1));
    },
    get requests() {
      return requests;
    },
    seen,
    get unseen() {
      return unseenAmong((status) => !OF_FAILURES.includes(status));
    },
    table() {
      const answered = [...counts.values()].flatMap((each) => [...each.keys()]);
      const statuses = [...new Set([...operations.flatMap((each) => each.statuses), ...answered])].sort(
        (a, b) => a - b,
      );
      const cell = (operation: Operation, status: number) => {
        const count = seen(operation.id, status);
        if (operation.statuses.includes(status)) return count === 0 ? 'unseen' : String(count);
        return count === 0 ? '' : `${count}!`;
      };
      const rows = [
        ['operation', ...statuses.map(String)],
        ...operations.map((operation) => [
          operation.id,
          ...statuses.map((status) => cell(operation, status)),
        ]),
        [NO_OPERATION, ...statuses.map((status) => String(seen(NO_OPERATION, status) || ''))],
      ];
      const unseen = this.unseen.map(({ operation, status }) => `${operation} ${status}`);
      const failures = [
        ...new Set(unseenAmong((status) => OF_FAILURES.includes(status)).map(({ status }) => status)),
      ];
      return [
        aligned(rows),
        unseen.length > 0
          ? `Declared but not seen: ${unseen.join(', ')}.`
          : 'Every status that a request can lead to was seen.',
        ...(failures.length > 0
          ? [
              `${failures.join(' and ')} are unseen as they should be: they mean a failure of the server itself.`,
            ]
          : []),
      ].join('\n');
    },
  };
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((text, column) =>
          column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
