import { canParseUrl } from "#kernel";
import type { Settings, SettingsProblem } from "#kernel";

const ADDRESSES = ["issuer", "authorizationUrl", "tokenUrl", "userInfoUrl", "emailsUrl"] as const;

/** Codes, secrets and keys travel by https; plain http only to this machine. */
export function checkSettings({ site: { auth } }: Settings): readonly SettingsProblem[] {
  if (auth === undefined) return [];
  const problems: SettingsProblem[] = [];
  for (const [slug, provider] of Object.entries(auth.providers)) {
    const values = new Map<string, unknown>(Object.entries(provider ?? {}));
    for (const key of ADDRESSES) {
      if (isExposed(values.get(key))) {
        problems.push(problem(`auth.providers.${slug}.${key}`, values.get(key)));
      }
    }
  }
  if (isExposed(auth.jwt?.jwksUrl)) problems.push(problem("auth.jwt.jwksUrl", auth.jwt?.jwksUrl));
  return problems;
}

/** True for an address of this machine. */
export function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

function isExposed(value: unknown): boolean {
  if (typeof value !== "string" || !canParseUrl(value)) return false;
  return new URL(value).protocol === "http:" && !isLoopback(value);
}

function problem(key: string, received: unknown): SettingsProblem {
  return {
    file: "site",
    key,
    received,
    expected: "an https address, or http on this machine",
    fix: "write https://",
  };
}
