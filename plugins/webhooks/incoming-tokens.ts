/** Finds the actions that a token permits. */
import { constantTimeEqual, type Env } from "#kernel";
import type { IncomingAction, IncomingWebhookSection } from "./contract.js";

const MIN_LENGTH = 16;

/** The current token of an entry; null when it is unset or too short. */
function currentToken({ token }: IncomingWebhookSection, env: Env): string | null {
  const value = env.expand(token);
  return value === undefined || value.length < MIN_LENGTH ? null : value;
}

/**
 * The actions of every entry with this token; empty for an unknown token. Compares every entry, each
 * in constant time.
 */
export function permittedActions(
  entries: readonly IncomingWebhookSection[],
  given: string,
  env: Env,
): ReadonlySet<IncomingAction> {
  const actions = new Set<IncomingAction>();
  for (const entry of entries) {
    const token = currentToken(entry, env);
    const matches = constantTimeEqual(given, token ?? "") && token !== null;
    if (matches) for (const action of entry.actions) actions.add(action);
  }
  return actions;
}

/** Indexes of the entries that cannot match any token in the current environment. */
export function unusableEntries(entries: readonly IncomingWebhookSection[], env: Env): number[] {
  return entries.flatMap((entry, index) => (currentToken(entry, env) === null ? [index] : []));
}
