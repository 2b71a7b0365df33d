import { userInfo } from 'node:os';
import type { AuditActor } from '../domain/audit/audit.js';

/** An actor of the command line. */
export type CommandActor = Extract<AuditActor, `cli:${string}`>;

/** A name for `--as`: no slash, which separates it from the account, and no spaces. */
export const actorNamePattern = /^[\p{L}\p{N}._@+-]{1,100}$/u;

/**
 * The actor of a command: the account of the operating system, which the system vouches for, and
 * the name given by `--as`, which only the account vouches for.
 */
export function commandActor(name: string | undefined): CommandActor {
  const account = `cli:${accountName().replaceAll(/[^\p{L}\p{N}._@+-]/gu, '_')}` as const;
  return name === undefined ? account : `${account}/${name}`;
}

/** Not `$USER`, which anyone can set. A container may run as a user id without an account. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
