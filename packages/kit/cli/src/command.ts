import { inspect, parseArgs, types, type ParseArgsConfig } from 'node:util';
import { ContractError } from '@contract-kit/core/openapi';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write there',
  EPERM: 'this user may not read or write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/** An expected error of a command: only its message is printed. */
export class CommandError extends Error {}

/** Printed with the usage of the command. */
export class UsageError extends Error {}

export interface Terminal {
  readonly args: readonly string[];
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Of this process. */
export const TERMINAL: Terminal = { args: process.argv.slice(2), out: console.log, err: console.error };

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Known extends Options> = ReturnType<typeof parseArgs<{ options: Known }>>['values'];

/**
 * Runs a command of this workspace with at most `operands` operands. Its exit code: the result of `main`, 0 for
 * --help, 1 failed, 2 wrong usage.
 */
export async function runCommand<const Known extends Options>(
  usage: string,
  options: Known,
  main: (values: Values<Known>, ...operands: string[]) => Promise<number>,
  { args, out, err }: Terminal = TERMINAL,
  operands = 0,
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals: operands > 0,
    });
    if (positionals.length > operands) throw new UsageError(`Unexpected argument '${positionals[operands]}'`);
    if (!('help' in values)) return await main(values, ...positionals);
    out(usage);
    return 0;
  } catch (error) {
    // Under Jest its TypeError belongs to another realm.
    const isUsage =
      types.isNativeError(error) &&
      (error instanceof UsageError || /^ERR_PARSE_ARGS/.test(String(Object(error).code)));
    if (isUsage) err(`${error.message}\n\n${usage}`);
    else if (error instanceof ContractError || error instanceof CommandError) err(error.message);
    else if (isSystemError(error)) err(asLine(error));
    else err(inspect(error));
    return isUsage ? 2 : 1;
  }
}

/** A failed system call as a line: its file, and why. */
export function asLine({ code = '', message, path }: NodeJS.ErrnoException): string {
  const reason = REASONS[code];
  return reason === undefined || path === undefined ? message : `${path}: ${reason}`;
}

/** A failed system call, such as opening a file without permission. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return types.isNativeError(error) && 'syscall' in error;
}
