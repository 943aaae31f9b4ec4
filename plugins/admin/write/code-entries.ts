import { isDeepStrictEqual } from "node:util";
import { SiteError } from "#kernel";
import { configValues } from "#kernel/internal";
import type { Permission } from "../contract.js";
import { refusal } from "../refusals.js";

/**
 * Requires the right to choose which code the site runs.
 * @throws HttpError 403 when `plugins:` or the source of a theme changes without `plugins.manage`.
 */
export function assertMayNameCode(
  permissions: ReadonlySet<Permission>,
  { before, after }: { before: string; after: string },
): void {
  if (permissions.has("plugins.manage")) return;
  if (isDeepStrictEqual(codeEntries(before), codeEntries(after))) return;
  const message =
    "permission plugins.manage is needed: plugins and sources of themes are code that the site runs";
  throw refusal(403, "ERR_ADMIN_FORBIDDEN", { message });
}

/** The parts of a configuration that name code. */
function codeEntries(text: string): unknown[] {
  const site = valuesOf(text);
  return [site["plugins"], site["themes"], mapOf(site["theme"])["src"]];
}

function valuesOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return configValues(text);
  } catch (error) {
    // An unreadable file names no code.
    if (error instanceof SiteError) return {};
    throw error;
  }
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value));
}
