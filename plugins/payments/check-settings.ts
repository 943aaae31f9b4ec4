import type { Settings, SettingsProblem } from "#kernel";
import { isExposedUrl } from "#lib/urls";

/** Payments grant roles: this requires visitors, and a store for their roles. */
export function checkPayments({ site: { auth, payments } }: Settings): readonly SettingsProblem[] {
  if (payments === undefined) return [];
  const problems: SettingsProblem[] = [];
  if (auth?.mode === "external-jwt" && auth.authzStore === undefined) {
    problems.push({
      file: "site",
      key: "auth.authzStore",
      received: undefined,
      expected: "a store for the roles that payments give",
      fix: "set it to local",
    });
  }
  // The secret key is sent there.
  if (isExposedUrl(payments.api_url)) {
    problems.push({
      file: "site",
      key: "payments.api_url",
      received: payments.api_url,
      expected: "an https address, or http on this machine",
      fix: "write https://",
    });
  }
  return problems;
}
